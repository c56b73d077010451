(() => {
  const by = (id) => document.getElementById(id);
  const make = (tag, text, name) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (name) made.className = name;
    return made;
  };

  // Files of items are scripts, for a page from disk may load nothing else.
  const waiting = new Map();
  const files = new Map();
  window.soritesItems = (name, packed) => waiting.get(name)?.(packed);
  const unpack = async (packed) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };
  const load = (name) => {
    if (!files.has(name)) {
      files.set(name, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        waiting.set(name, resolve);
        script.addEventListener("error", () => reject(new Error(`items/${name}.js is not beside this page: keep its folder together.`)));
        script.src = `items/${name}.js`;
        document.head.append(script);
      }).then(unpack));
    }
    return files.get(name);
  };

  const SIZE = 25;
  const FEW = 40;
  let index = null;
  let task = "";
  let found = [];
  let page = 0;
  let shown = -1;
  let asked = 0;

  const coded = (column, n) => column.values[column.at[n]];
  const nameOf = (run) => `${run.model} · ${run.setting}`;
  const idOf = (n) => index.views ? `${index.ids[n]} · ${index.views[n]}` : index.ids[n];
  const addressOf = (n) => {
    const parts = [task, index.ids[n], ...(index.views ? [index.views[n]] : [])];
    return `#item/${parts.map(encodeURIComponent).join("/")}`;
  };
  const isAsked = (run, n) => run.right[n] !== null;
  const told = (value) => value === null || value === undefined ? "none" : String(value);

  const options = (select, entries) => select.replaceChildren(...entries.map(([text, value]) => new Option(text, value)));
  const kinds = () => {
    const any = by("run").value === "";
    const several = index.runs.length > 1;
    const outcomes = new Set(index.runs.flatMap((run) => run.outcome.values.flatMap((value) => value ? value.split("|") : [])));
    const before = by("kind").value;
    options(by("kind"), [
      ["all", ""],
      ...(any && several
        ? [["wrong in some run", "some wrong"], ["wrong in every run", "all wrong"], ["right in every run", "all right"], ["right in some, wrong in others", "differ"]]
        : [["wrong", "some wrong"], ["right", "all right"]]),
      ...[...outcomes].sort().map((outcome) => [`outcome: ${outcome}`, `outcome ${outcome}`]),
      ...(index.runs.some((run) => run.tie.length) ? [["near tie", "tie"]] : []),
    ]);
    if ([...by("kind").options].some((option) => option.value === before)) by("kind").value = before;
  };

  const matchesKind = (runs, n, kind) => {
    const some = runs.filter((run) => isAsked(run, n));
    if (!some.length) return false;
    if (kind === "") return true;
    if (kind === "some wrong") return some.some((run) => run.right[n] < 1);
    if (kind === "all wrong") return some.every((run) => run.right[n] < 1);
    if (kind === "all right") return some.every((run) => run.right[n] === 1);
    if (kind === "differ") return some.some((run) => run.right[n] === 1) && some.some((run) => run.right[n] < 1);
    if (kind === "tie") return some.some((run) => run.ties.has(n));
    return some.some((run) => coded(run.outcome, n).split("|").includes(kind.slice("outcome ".length)));
  };
  const conditions = () => [...by("columns").querySelectorAll("select, input")]
    .filter((control) => control.value !== "")
    .map((control) => {
      const column = index.columns[control.dataset.column];
      if (control.tagName === "SELECT") return (n) => column.at[n] === Number(control.value);
      const text = control.value.trim().toLowerCase();
      return (n) => told(coded(column, n)).toLowerCase().includes(text);
    });
  const textsHold = async (text) => {
    const parts = Math.ceil(index.ids.length / index.perFile);
    const holds = new Set();
    for (let part = 0; part < parts; part += 1) {
      const file = await load(`${task}/${part}`);
      const hits = new Set(file.texts.flatMap((entry, place) => entry.toLowerCase().includes(text) ? [place] : []));
      file.items.forEach((runs, place) => {
        const answers = runs.flat();
        if (answers.some((answer) => hits.has(answer.question) || hits.has(answer.text) || hits.has(answer.thought))) holds.add(part * index.perFile + place);
      });
    }
    return holds;
  };

  const cell = (row, text, name, label) => {
    const made = make("td", text, name);
    made.setAttribute("role", "cell");
    if (label) made.dataset.label = label;
    row.append(made);
    return made;
  };
  const verdict = (run, n) => {
    if (!isAsked(run, n)) return ["not asked", "soft"];
    const read = coded(run.read, n);
    const right = run.right[n];
    if (right === 1) return [`✓ ${read}`, "right"];
    return [right > 0 ? `${Math.round(100 * right)} % right: ${read}` : `✗ ${read}`, "wrong"];
  };
  const runsShown = () => by("run").value === "" ? index.runs : [index.runs[Number(by("run").value)]];

  const head = (names) => {
    const row = make("tr");
    row.setAttribute("role", "row");
    for (const name of names) {
      const made = make("th", name);
      made.scope = "col";
      made.setAttribute("role", "columnheader");
      row.append(made);
    }
    by("browser").tHead.replaceChildren(row);
  };
  const list = () => {
    const last = Math.max(0, Math.ceil(found.length / SIZE) - 1);
    page = Math.max(0, Math.min(page, last));
    const runs = runsShown();
    const columns = Object.keys(index.columns).filter((name) => index.columns[name].values.length <= FEW && index.columns[name].values.length > 1).slice(0, 4);
    head(["Item", ...columns, "Gold", ...runs.map(nameOf)]);
    const body = by("browser").tBodies[0];
    body.replaceChildren();
    for (const n of found.slice(page * SIZE, (page + 1) * SIZE)) {
      const row = make("tr");
      row.setAttribute("role", "row");
      const name = make("th");
      name.scope = "row";
      name.setAttribute("role", "rowheader");
      const button = make("button", idOf(n), "open");
      button.type = "button";
      button.addEventListener("click", () => { show(n).catch(fail); });
      name.append(button);
      row.append(name);
      for (const column of columns) cell(row, told(coded(index.columns[column], n)), "", column);
      cell(row, coded(index.gold, n), "", "Gold");
      for (const run of runs) cell(row, ...verdict(run, n), nameOf(run));
      body.append(row);
    }
    const first = found.length ? page * SIZE + 1 : 0;
    by("count").textContent = `${first.toLocaleString("en")} to ${Math.min(found.length, (page + 1) * SIZE).toLocaleString("en")} of ${found.length.toLocaleString("en")} items, ${index.ids.length.toLocaleString("en")} in all`;
    by("previous").disabled = page === 0;
    by("next").disabled = page === last;
    const used = conditions().length;
    by("chosen").textContent = used ? `${used} in use` : "";
  };
  const search = async () => {
    const turn = asked += 1;
    const runs = runsShown(), kind = by("kind").value, columns = conditions();
    let some = index.ids.map((_, n) => n).filter((n) => matchesKind(runs, n, kind) && columns.every((holds) => holds(n)));
    const text = by("search").value.trim().toLowerCase();
    if (text) {
      by("count").textContent = "Searching…";
      const holds = await textsHold(text);
      if (turn !== asked) return;
      some = some.filter((n) => holds.has(n) || idOf(n).toLowerCase().includes(text));
    }
    found = some;
    page = 0;
    list();
  };
  const choose = async (name) => {
    const turn = asked += 1;
    const loaded = await load(`${name}/index`);
    if (turn !== asked) return;
    index = loaded;
    task = name;
    by("task").value = name;
    for (const run of index.runs) run.ties = new Set(run.tie);
    options(by("run"), [...(index.runs.length > 1 ? [["all, side by side", ""]] : []), ...index.runs.map((run, place) => [nameOf(run), String(place)])]);
    by("kind").replaceChildren();
    kinds();
    by("columns").replaceChildren(...Object.entries(index.columns).map(([name, column]) => {
      const label = make("label", `${name} `);
      let control;
      if (column.values.length <= FEW) {
        control = make("select");
        const order = column.values.map((value, place) => [told(value), String(place)]);
        order.sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
        options(control, [["all", ""], ...order]);
      } else {
        control = make("input");
        control.type = "search";
        control.placeholder = "contains";
        control.autocomplete = "off";
      }
      control.dataset.column = name;
      label.append(control);
      return label;
    }));
    by("more").hidden = !Object.keys(index.columns).length;
    await search();
  };

  const block = (name, text) => {
    const made = make("div", undefined, "block");
    made.append(make("h4", name), make("pre", text));
    return made;
  };
  const folded = (name, ...children) => {
    const made = make("details");
    made.append(make("summary", name), ...children);
    return made;
  };
  const figures = (answer) => {
    const parts = [];
    if (answer.margin !== undefined && answer.margin !== null) parts.push(`margin ${answer.margin} nats`);
    if (answer.lead !== undefined && answer.lead !== null) parts.push(`lead over other text ${answer.lead} nats`);
    if (answer.mass !== undefined && answer.mass !== null) parts.push(`probability of all labels ${answer.mass}`);
    if (answer.constrained !== undefined && answer.constrained !== answer.read) parts.push(`held to the labels: ${answer.constrained}`);
    if (answer.near_tie) parts.push("near tie");
    return parts.join("; ");
  };
  const answered = (file, answer, system, isShared) => {
    const parts = [];
    const says = answer.right ? `✓ ${answer.read}` : `✗ ${answer.read}`;
    const line = make("p", says, answer.right ? "right" : "wrong");
    line.append(" ", make("span", answer.outcome, answer.outcome === "answered" ? "mark" : "mark loud"));
    parts.push(line);
    if (!isShared) parts.push(block("Question", file.texts[answer.question]));
    const reply = file.texts[answer.text];
    parts.push(block("Reply", reply || "(nothing)"));
    if (answer.trouble !== undefined) parts.push(block("Trouble", file.texts[answer.trouble]));
    if (figures(answer)) parts.push(make("p", figures(answer), "note"));
    if (answer.thought !== undefined) {
      const thought = file.texts[answer.thought];
      parts.push(folded(`Thought (${thought.length.toLocaleString("en")} characters)`, make("pre", thought)));
    }
    if (answer.before !== undefined) {
      const turns = file.turns[answer.before];
      const examples = turns.filter(([role]) => role === "user").length;
      const heading = examples ? `System text and ${examples} examples` : "System text";
      parts.push(folded(heading, ...turns.map(([role, text]) => block(role === "assistant" ? "answer" : role, file.texts[text])), ...(turns.length ? [] : [make("p", "None.")])));
    } else {
      const note = "The release is not where the run found it, so this is the text of the contract, not filled in; examples are not shown.";
      parts.push(folded("System text", make("p", note, "note"), make("pre", system || "(none)")));
    }
    return parts;
  };
  const show = async (n) => {
    const of = task, about = index;
    const file = await load(`${of}/${Math.floor(n / about.perFile)}`);
    if (of !== task) return;
    shown = n;
    const runs = file.items[n % index.perFile];
    const every = runs.flat();
    const isShared = new Set(every.map((answer) => answer.question)).size === 1;
    by("item-title").textContent = idOf(n);
    by("item-link").href = addressOf(n);
    by("item-facts").replaceChildren(...[["Gold", coded(index.gold, n)], ...Object.entries(index.columns).map(([name, column]) => [name, told(coded(column, n))])].map(([name, value]) => {
      const pair = make("div");
      pair.append(make("dt", name), make("dd", value));
      return pair;
    }));
    const side = make("div", undefined, "side");
    runs.forEach((answers, place) => {
      if (!answers.length) return;
      const card = make("article");
      card.append(make("h3", nameOf(index.runs[place])));
      answers.forEach((answer, repeat) => {
        if (answers.length > 1) card.append(make("h4", `Answer ${repeat + 1} of ${answers.length}`));
        card.append(...answered(file, answer, index.runs[place].system, isShared));
      });
      side.append(card);
    });
    by("item-body").replaceChildren(...(isShared ? [block("Question", file.texts[every[0].question])] : []), side);
    const place = found.indexOf(n);
    by("item-previous").disabled = place <= 0;
    by("item-next").disabled = place < 0 || place === found.length - 1;
    if (location.hash !== addressOf(n)) history.replaceState(null, "", addressOf(n));
    if (!by("item").open) by("item").showModal();
    by("item").scrollTop = 0;
    by("item-title").focus();
  };
  const step = (distance) => {
    const next = found[found.indexOf(shown) + distance];
    if (next === undefined) return;
    page = Math.floor(found.indexOf(next) / SIZE);
    list();
    show(next).catch(fail);
  };
  const fail = (error) => { by("count").textContent = error.message; };

  const follow = async () => {
    const [kind, name, id, view] = location.hash.slice(1).split("/").map(decodeURIComponent);
    if (kind !== "item" || ![...by("task").options].some((option) => option.value === name)) return false;
    if (name !== task) await choose(name);
    const n = index.ids.findIndex((entry, place) => entry === id && (!index.views || view === undefined || index.views[place] === view));
    if (n < 0) throw new Error(`This report has no item ${id} in ${name}.`);
    if (n !== shown || !by("item").open) await show(n);
    return true;
  };

  by("task").addEventListener("change", () => { choose(by("task").value).catch(fail); });
  by("filters").addEventListener("input", (event) => {
    if (event.target === by("task") || !index) return;
    if (event.target === by("run")) kinds();
    search().catch(fail);
  });
  by("filters").addEventListener("submit", (event) => event.preventDefault());
  by("reset").addEventListener("click", () => { by("search").value = ""; choose(by("task").value).catch(fail); });
  by("previous").addEventListener("click", () => { page -= 1; list(); });
  by("next").addEventListener("click", () => { page += 1; list(); });
  by("item-previous").addEventListener("click", () => step(-1));
  by("item-next").addEventListener("click", () => step(1));
  by("item-close").addEventListener("click", () => by("item").close());
  by("item").addEventListener("close", () => {
    const row = found.indexOf(shown) - page * SIZE;
    history.replaceState(null, "", "#items");
    by("browser").tBodies[0].rows[row]?.querySelector("button").focus();
    shown = -1;
  });
  by("item").addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft" && !event.target.closest("pre")) step(-1);
    if (event.key === "ArrowRight" && !event.target.closest("pre")) step(1);
  });
  addEventListener("hashchange", () => { follow().catch(fail); });
  follow().then((done) => done || choose(by("task").value)).catch(fail);
})();
