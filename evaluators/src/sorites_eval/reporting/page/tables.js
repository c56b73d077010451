"use strict";
(() => {
  const theme = document.getElementById("theme");
  let isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  theme.setAttribute("aria-pressed", String(isDark));
  theme.addEventListener("click", () => {
    isDark = !isDark;
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
    theme.setAttribute("aria-pressed", String(isDark));
  });

  // An address may name what lies in a closed part of the page.
  const open = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const closed = target && target.closest("details");
    if (closed) closed.open = true;
  };
  addEventListener("hashchange", open);
  open();

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    if ("value" in cell.dataset) return Number(cell.dataset.value);
    const text = (cell.firstChild?.textContent ?? "").trim();
    return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    // On a narrow screen a row is a card: each cell then says what it is, and rows stay rows.
    table.setAttribute("role", "table");
    for (const part of [table.tHead, ...table.tBodies]) part.setAttribute("role", "rowgroup");
    for (const row of table.rows) {
      row.setAttribute("role", "row");
      [...row.cells].forEach((cell, column) => {
        const isHead = row.parentElement === table.tHead;
        cell.setAttribute("role", isHead ? "columnheader" : column ? "cell" : "rowheader");
        if (!isHead) cell.dataset.label = heads[column].textContent;
      });
    }
    heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const up = before === "descending" || (before === "none" && !head.classList.contains("number"));
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => {
        const x = valueOf(a, column), y = valueOf(b, column);
        // What has no number stands last, whichever way is sorted.
        if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
        const order = typeof x === "number" ? x - y : x.localeCompare(y);
        return up ? order : -order;
      });
      table.tBodies[0].append(...rows);
    }));
  }
})();
