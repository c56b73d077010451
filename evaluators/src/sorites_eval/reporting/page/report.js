"use strict";
(() => {
  const by = (id) => document.getElementById(id);

  const theme = by("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let isDark = dark.matches;
  const paint = () => {
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    theme.setAttribute("aria-pressed", String(isDark));
  };
  theme.addEventListener("click", () => { isDark = !isDark; paint(); });
  theme.setAttribute("aria-pressed", String(isDark));

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent.trim();
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") === "descending" || (head.getAttribute("aria-sort") === "none" && !head.classList.contains("number"));
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => {
        const x = valueOf(a, column), y = valueOf(b, column);
        if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
        const order = typeof x === "number" ? x - y : x.localeCompare(y);
        return up ? order : -order;
      });
      table.tBodies[0].append(...rows);
    }));
  }

  const runs = JSON.parse(by("data").textContent);
  const size = 25;
  let page = 0;
  runs.forEach((run, number) => by("run").append(new Option(run.name, String(number))));

  const matches = (item, kind, text) =>
    (kind === "all" || (kind === "right" && item.right) || (kind === "wrong" && !item.right) || kind === item.outcome) &&
    (!text || `${item.id} ${item.question} ${item.text}`.toLowerCase().includes(text));

  const cell = (row, text, name) => {
    const made = row.insertCell();
    made.textContent = text;
    if (name) made.className = name;
  };

  const show = () => {
    const run = runs[Number(by("run").value)] || { items: [] };
    const found = run.items.filter((item) => matches(item, by("kind").value, by("search").value.trim().toLowerCase()));
    const last = Math.max(0, Math.ceil(found.length / size) - 1);
    page = Math.min(page, last);
    const body = by("browser").tBodies[0];
    body.replaceChildren();
    for (const item of found.slice(page * size, (page + 1) * size)) {
      const row = body.insertRow();
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = item.id;
      row.append(head);
      cell(row, item.question);
      cell(row, item.text);
      cell(row, item.read, item.right ? "right" : "wrong");
      cell(row, item.gold);
    }
    const first = found.length ? page * size + 1 : 0;
    by("count").textContent = `${first} to ${Math.min(found.length, (page + 1) * size)} of ${found.length} items`;
    by("previous").disabled = page === 0;
    by("next").disabled = page === last;
  };
  const restart = () => { page = 0; show(); };
  by("filters").addEventListener("input", restart);
  by("filters").addEventListener("submit", (event) => event.preventDefault());
  by("previous").addEventListener("click", () => { page -= 1; show(); });
  by("next").addEventListener("click", () => { page += 1; show(); });
  show();
})();
