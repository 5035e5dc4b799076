// see.js - the source beside the pages of the tools, which are frames (see.py). A chosen line is sent to each frame: the dag and the trace answer by themselves, in the
// others what names the line is outlined. A frame sends the line of what is clicked in it. `#line=N` in the address chooses a line of the first file.
"use strict";
(function () {
  const D = JSON.parse(document.getElementById("data").textContent), $ = id => document.getElementById(id), frames = {};
  let picked = null;

  function make(parent, tag, attributes, text) {
    const e = document.createElement(tag);
    for (const k in attributes) e.setAttribute(k, attributes[k]);
    if (text !== undefined) e.textContent = text;
    parent.appendChild(e);
    return e;
  }
  document.querySelector("h1").textContent = D.title;
  for (const one of D.verdicts) {
    const row = make($("verdicts"), "li", {}, one.next ? one.text.replace(/\.?$/, ". Next: " + one.next + ".") : one.text);
    if (D.parts.some(part => part.id === one.part)) make(row, "button", { class: "go" }, "show").addEventListener("click", () => $("tab-" + one.part).click());
  }

  // ---- the source
  const rows = {};
  const percent = x => x >= 0.0005 ? (100 * x).toFixed(x < 0.0995 ? 1 : 0) + "%" : "";
  for (const file of D.sources) {
    make($("source"), "div", { class: "name" }, file.name);
    rows[file.name] = file.lines.map((pieces, i) => {
      const f = file.facts[i + 1] || {}, row = make($("source"), "div", { class: "row" });
      make(row, "span", { class: "no" }, i + 1);
      for (const kind of ["work", "span"]) {
        const bar = make(row, "span", { class: "bar", title: kind }), share = f[kind] || 0;
        if (share > 0) make(bar, "i", { style: "width:" + Math.max(2, 100 * Math.min(1, share)) + "%;background:var(--" + kind + ")" });
        make(bar, "span", {}, percent(share));
      }
      make(row, "span", { class: "mark" }, f.race ? "R" : "");
      const line = make(row, "span", {});
      for (const [kind, piece] of pieces) make(line, "span", kind ? { class: "k" + kind } : {}, piece);
      row.addEventListener("click", () => pick(file.name, i + 1));
      return row;
    });
  }
  function procedureOf(file, line) {
    let best = null;
    for (const [name, first, procedure] of D.procedures) if (same(name, file) && first <= line && (!best || first > best[0])) best = [first, procedure];
    return best ? best[1] : "";
  }
  const same = (a, b) => a === b || a.split("/").pop() === b.split("/").pop();

  // ---- a line is chosen
  function pick(file, line) {
    const name = Object.keys(rows).find(n => same(n, file)), row = name && rows[name][line - 1];
    if (!row) return;
    if (picked) picked.classList.remove("picked");
    (picked = row).classList.add("picked");
    row.scrollIntoView({ block: "nearest" });
    const facts = D.sources.find(s => s.name === name).facts[line] || {}, about = $("about"), procedure = procedureOf(name, line);
    about.replaceChildren();
    make(about, "h2", {}, name + ":" + line + (procedure ? " in " + procedure : ""));
    const list = make(about, "ul", {});
    if (facts.work) make(list, "li", {}, percent(facts.work) + " of the work, " + (percent(facts.span) || "0%") + " of the span");
    for (const text of facts.texts || []) make(list, "li", {}, text);
    if (!list.children.length) make(list, "li", {}, "no tool has anything on this line");
    for (const id in frames) show(frames[id], { cilk: "line", file: name, line, procedure });
    document.body.dataset.picked = line;
  }
  function show(frame, message) {
    if (!frame.ready) { frame.waiting = message; return; }
    frame.element.contentWindow.postMessage(message, "*");
    const inside = frame.element.contentDocument;
    if (!inside || frame.id === "dag" || frame.id === "trace") return;
    const place = new RegExp("(^|[^\\w.-])" + message.file.split("/").pop().replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + ":" + message.line + "(?!\\d)");
    let first = null, hits = 0;
    for (const e of inside.querySelectorAll("tr, .place, .path, li, g")) {
      const hit = place.test(e.textContent);
      e.style.outline = hit && e.localName !== "g" ? "2px solid #7a3cff" : "";
      if (e.localName === "g" && !e.querySelector("g")) e.style.filter = hit ? "drop-shadow(0 0 3px #7a3cff)" : "";
      if (hit) hits++;
      if (hit && !first && e.localName !== "g") first = e;
    }
    if (first) first.scrollIntoView({ block: "nearest" });
    count(frame.id, hits);
  }
  const hits = {};
  function count(id, n) {
    hits[id] = n;
    $("tab-" + id).title = n + " places of the chosen line or its procedure";
    document.body.dataset.hits = Object.keys(hits).sort().map(k => k + ":" + hits[k]).join(",");
  }
  addEventListener("message", e => {
    if (e.data && e.data.cilk === "picked") pick(String(e.data.file), Number(e.data.line));
    if (e.data && e.data.cilk === "count" && frames[e.data.id]) count(e.data.id, Number(e.data.count));
  });

  // ---- the tools
  function tab(id, title, element, count) {
    const button = make($("tabs"), "button", { id: "tab-" + id }, title);
    if (count) make(button, "span", { class: "count" }, " " + count);
    button.addEventListener("click", () => {
      for (const e of document.querySelectorAll("#tabs button, #right > iframe, #output")) e.classList.remove("on");
      button.classList.add("on");
      element.classList.add("on");
    });
    return button;
  }
  for (const part of D.parts) {
    const element = make($("right"), "iframe", { id: "frame-" + part.id, title: part.title }), frame = frames[part.id] = { id: part.id, element, ready: false, waiting: null };
    element.addEventListener("load", () => {
      frame.ready = true;
      document.body.dataset.loaded = Object.values(frames).filter(f => f.ready).length;
      if (frame.waiting) show(frame, frame.waiting);
    });
    element.srcdoc = part.page;
    const races = part.id === "race" ? D.sources.reduce((n, s) => n + Object.values(s.facts).filter(f => f.race).length, 0) : 0;
    tab(part.id, part.title, element, races);
  }
  tab("output", "output", make($("right"), "pre", { id: "output" }, D.output + Object.entries(D.missing).map(([part, why]) => "\n" + part + ": " + why).join("")));
  // by the tool's name, or by a word of the tab's
  const asked = (/tab=(\w+)/.exec(location.hash) || [])[1], named = D.parts.find(part => part.title.split(" ").includes(asked));
  const first = $("tab-" + asked) || $("tab-" + (named || D.parts[0]).id);
  if (first) first.click();
  const line = /line=(\d+)/.exec(location.hash);
  if (line && D.sources.length) pick(D.sources[0].name, +line[1]);
  document.body.dataset.ready = "yes";
})();
