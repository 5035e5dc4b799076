// explore.js - shows a failing schedule step by step (explore_page.py). Step i is the point that a worker has reached; what happened since step i-1 is listed with it.
// `#step=N` in the address selects a point.
"use strict";
(function () {
  const D = JSON.parse(document.getElementById("data").textContent), S = D.steps, F = D.facts;
  const $ = id => document.getElementById(id), NS = "http://www.w3.org/2000/svg";
  const colour = w => "var(--w" + (w % 4) + ")";
  let at = 0;

  function make(parent, tag, attributes, text) {
    const e = document.createElementNS(parent.namespaceURI === NS || tag === "svg" ? NS : "http://www.w3.org/1999/xhtml", tag);
    for (const k in attributes) e.setAttribute(k, attributes[k]);
    if (text !== undefined) e.textContent = text;
    parent.appendChild(e);
    return e;
  }

  document.querySelector("h1").textContent = D.title + ": a failing schedule";
  $("what").textContent = F.what;
  $("facts").textContent = D.workers + (D.workers === 1 ? " worker, " : " workers, ") + D.turns.length + (D.turns.length === 1 ? " change" : " changes") + " of the running worker, " + F.steals +
    (F.steals === 1 ? " steal, " : " steals, ") + F.points + " points" + (F.schedules ? "; found in schedule " + F.schedules : "");
  $("command").textContent = F.command;
  $("gdb").textContent = F.debug;
  $("got").textContent = F.output + (F.stderr ? "\n" + F.stderr : "");
  $("wanted").textContent = F.expected;

  // ---- the source, once; marks come and go
  const rows = D.sources.map(file => {
    make($("source"), "div", { class: "name" }, file.name);
    return file.lines.map((text, i) => {
      const row = make($("source"), "div", {});
      make(row, "span", { class: "no" }, i + 1);
      make(row, "span", { class: "tags" });
      make(row, "span", {}, text);
      return row;
    });
  });

  // ---- the time: a lane for each worker
  const LEFT = 70, WIDE = 1160, LANE = 26, x = i => LEFT + (S.length < 2 ? 0 : i * (WIDE - LEFT - 20) / (S.length - 1));
  const time = make($("time"), "svg", { viewBox: "0 0 " + WIDE + " " + (D.workers * LANE + 24), id: "lanes" });
  for (let w = 0; w < D.workers; w++) {
    make(time, "text", { x: 0, y: w * LANE + 20 }, "worker " + w);
    make(time, "line", { x1: LEFT, x2: WIDE - 20, y1: w * LANE + 16, y2: w * LANE + 16, stroke: "var(--line)" });
  }
  for (let i = 0, begin = 0; i < S.length; i++) {
    if (i + 1 < S.length && S[i + 1].w === S[begin].w) continue;
    const end = Math.min(WIDE - 14, x(i) + Math.max(3, (x(Math.min(1, S.length - 1)) - x(0)) * 0.8));
    make(time, "rect", { x: x(begin) - 1, y: S[begin].w * LANE + 9, width: end - x(begin), height: 14, rx: 3, fill: colour(S[begin].w), class: "ran" });
    if (i + 1 < S.length) make(time, "line", { x1: end, y1: S[i].w * LANE + 16, x2: x(i + 1), y2: S[i + 1].w * LANE + 16, stroke: "var(--quiet)", class: "turn" });
    begin = i + 1;
  }
  S.forEach((s, i) => { if (s.before.some(e => e.includes(" steals "))) make(time, "path", { d: "M" + x(i) + " " + (s.w * LANE + 8) + "l-4 -7h8z", fill: "var(--bad)", class: "steal" }); });
  const cursor = make(time, "line", { y1: 0, y2: D.workers * LANE + 6, stroke: "var(--ink)", "stroke-width": 1.5 });
  const label = make(time, "text", { y: D.workers * LANE + 20, "text-anchor": "middle" });
  time.addEventListener("click", e => {
    const box = time.getBoundingClientRect(), px = (e.clientX - box.left) * WIDE / box.width;
    show(Math.round((px - LEFT) / Math.max(1e-9, x(1) - x(0))));
  });

  // ---- the tree of instances
  const children = D.instances.map(() => []), roots = [];
  D.instances.forEach((v, i) => (v.parent >= 0 ? children[v.parent] : roots).push(i));
  function tree() {
    $("tree").textContent = "";
    const s = S[at], runs = new Map(), ran = new Map(), placed = [];
    for (let i = 0; i <= at; i++) S[i].stacks.forEach((stack, w) => { if (w === S[i].w && stack.length) ran.set(stack[stack.length - 1], w); });
    s.stacks.forEach((stack, w) => stack.forEach(i => runs.set(i, w)));
    (function place(list, depth) {
      for (const i of list) if (D.instances[i].born <= at && placed.length < 120) { placed.push([i, depth]); place(children[i], depth + 1); }
    })(roots, 0);
    const svg = make($("tree"), "svg", { width: 640, height: placed.length * 24 + 6 }), y = new Map();
    placed.forEach(([i, depth], k) => {
      const v = D.instances[i], left = depth * 26 + 4, top = k * 24 + 3, waits = s.waiting.includes(i), live = runs.has(i) || waits;
      y.set(i, top);
      if (y.has(v.parent)) make(svg, "path", { d: "M" + (left - 14) + " " + (y.get(v.parent) + 19) + "V" + (top + 10) + "h14", fill: "none", stroke: "var(--line)" });
      const text = v.name + (v.line ? ", spawned in line " + v.line : "") + (runs.has(i) ? "" : waits ? " (waits)" : " (done)");
      const w = runs.has(i) ? runs.get(i) : ran.get(i);
      make(svg, "rect", { x: left, y: top, width: text.length * 6.6 + 14, height: 19, rx: 5, fill: "var(--box)", stroke: w === undefined || !live ? "var(--line)" : waits ? "var(--quiet)" : colour(w),
        "stroke-width": live ? 2 : 1, "stroke-dasharray": waits ? "4 3" : "none", class: "instance" });
      const t = make(svg, "text", { x: left + 7, y: top + 14 }, text);
      if (!live) t.setAttribute("opacity", 0.6);
    });
  }

  function show(i) {
    if (!S.length) { $("says").textContent = "nothing was recorded"; return; }
    at = Math.max(0, Math.min(S.length - 1, i));
    const s = S[at], lines = new Map();
    $("where").textContent = "point " + s.n + " (step " + (at + 1) + " of " + S.length + ")";
    $("says").textContent = s.says;
    $("says").style.color = colour(s.w);
    $("note").textContent = s.note;
    $("events").textContent = "";
    for (const text of s.before.concat(at === S.length - 1 && D.after.length ? ["after this: " + D.after.join("; ")] : [])) make($("events"), "li", {}, text);
    // where each worker is: the last point that it has reached
    for (const row of document.querySelectorAll("#source .at")) { row.className = ""; row.style.color = ""; row.children[1].textContent = ""; }
    for (let w = 0; w < D.workers; w++) {
      let k = at;
      while (k >= 0 && S[k].w !== w) k--;
      if (k < 0 || !S[at].stacks[w].length && w !== s.w) continue;
      const row = S[k].file >= 0 && rows[S[k].file] && rows[S[k].file][S[k].line - 1];
      if (!row) continue;
      row.className = w === s.w ? "at now" : row.className.includes("now") ? "at now" : "at";
      if (w === s.w) row.style.color = colour(w);
      make(row.children[1], "i", { style: "background:" + colour(w) }, w);
      if (w === s.w) row.scrollIntoView({ block: "nearest" });
    }
    $("workers").textContent = "";
    for (let w = 0; w < D.workers; w++) {
      const stack = s.stacks[w] || [], box = make($("workers"), "div", { class: "worker" + (stack.length ? "" : " idle"), style: "border-left-color:" + colour(w) });
      make(box, "b", {}, "worker " + w + (w === s.w ? " runs" : stack.length ? " is stopped" : " has nothing"));
      make(box, "span", {}, stack.map(k => D.instances[k].name).join(" → "));
      const deque = make(box, "div", {}, "deque: ");
      for (const entry of s.deques[w] || []) make(deque, "span", { class: "chip" }, entry);
      if (!(s.deques[w] || []).length) make(deque, "span", { class: "quiet" }, "empty");
    }
    tree();
    cursor.setAttribute("x1", x(at));
    cursor.setAttribute("x2", x(at));
    label.setAttribute("x", x(at));
    label.textContent = s.n;
    document.body.dataset.step = at;
    history.replaceState(null, "", "#step=" + s.n);
  }
  const turn = (from, by) => { for (let k = from + by; k >= 0 && k < S.length; k += by) if (D.turns.includes(k)) return k; return by < 0 ? 0 : S.length - 1; };
  const actions = { first: () => show(0), back: () => show(at - 1), forward: () => show(at + 1), last: () => show(S.length - 1), turn: () => show(turn(at, 1)), turnback: () => show(turn(at, -1)) };
  for (const id in actions) $(id).addEventListener("click", actions[id]);
  document.addEventListener("keydown", e => {
    const name = { ArrowLeft: e.shiftKey ? "turnback" : "back", ArrowRight: e.shiftKey ? "turn" : "forward", Home: "first", End: "last" }[e.key];
    if (name) { actions[name](); e.preventDefault(); }
  });
  const asked = /step=(\d+)/.exec(location.hash), wanted = asked ? S.findIndex(s => s.n === +asked[1]) : -1;
  show(wanted >= 0 ? wanted : D.turns.length ? D.turns[0] : 0);
})();
