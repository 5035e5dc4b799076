// step.js - shows a run step by step (step_page.py). Step i is the point that a worker has reached; what happened since step i-1 is listed with it, and marked.
// `#step=N` in the address selects a point.
"use strict";
(function () {
  const D = JSON.parse(document.getElementById("data").textContent), S = D.steps, F = D.facts;
  const $ = id => document.getElementById(id), NS = "http://www.w3.org/2000/svg";
  const colour = w => "var(--w" + (w % 4) + ")";
  const T = D.texts, V = D.variables;
  let at = 0;

  // ---- a step has what differs from the one before it: what is carried on is written into each once, values every so often
  const EVERY = 64, kept = [];
  let printed = 0;
  const owner = new Map();
  V.forEach(v => (function leaves(s) { if (typeof s === "number") owner.set(s, v); else (s.a || s.m.map(m => m[1])).forEach(leaves); })(v.s));
  const add = (state, s) => {
    for (let k = 0; k < (s.c || []).length; k += 2) state.values.set(s.c[k], s.c[k + 1]);
    if (s.frames) state.frames.set(s.frames[0], s.frames[1]);
    for (const k of s.born || []) state.heap.add(k);
    for (const k of s.freed || []) state.heap.delete(k);
    return state;
  };
  const copy = state => ({ values: new Map(state.values), frames: new Map(state.frames), heap: new Set(state.heap) });
  // a list with its changes: step_page.py
  const patched = (old, change) => !change ? old : change[0] < 0 ? old.map((one, k) => patched(one, change[1][k])) :
    old.slice(0, change[0]).concat(change[2], change[1] ? old.slice(-change[1]) : []);
  let running = { values: new Map(), frames: new Map(), heap: new Set() };
  S.forEach((s, i) => {
    for (const name of ["deques", "stacks", "waiting", "pending", "locks"]) s[name] = patched(i ? S[i - 1][name] : [], s[name]);
    s.says = T[s.says]; s.done = T[s.done]; s.note = s.note === undefined ? "" : T[s.note]; s.before = (s.before || []).map(k => T[k]);
    s.out = printed = s.out || printed;
    add(running, s);
    if (i % EVERY === 0) kept.push(copy(running));
  });
  function stateAt(i) {
    const state = copy(kept[Math.floor(i / EVERY)]);
    for (let k = Math.floor(i / EVERY) * EVERY + 1; k <= i; k++) add(state, S[k]);
    return state;
  }

  function make(parent, tag, attributes, text) {
    const e = document.createElementNS(parent.namespaceURI === NS || tag === "svg" ? NS : "http://www.w3.org/1999/xhtml", tag);
    for (const k in attributes) e.setAttribute(k, attributes[k]);
    if (text !== undefined) e.textContent = text;
    parent.appendChild(e);
    return e;
  }

  document.querySelector("h1").textContent = D.title + ": " + F.page_title;
  $("what").textContent = F.what;
  $("why").textContent = D.why;
  $("facts").textContent = D.workers + (D.workers === 1 ? " worker, " : " workers, ") + D.turns.length + (D.turns.length === 1 ? " change" : " changes") + " of the running worker, " + F.steals +
    (F.steals === 1 ? " steal, " : " steals, ") + F.points + " points" + (F.schedules ? "; found in schedule " + F.schedules : "");
  $("command").textContent = F.command;
  $("gdb").textContent = F.debug;
  if (F.expected === undefined) $("other").remove();
  else $("wanted").textContent = F.expected;

  // ---- the source, once; marks come and go
  const rows = D.sources.map(file => {
    make($("source"), "div", { class: "name" }, file.name);
    return file.lines.map((text, i) => {
      const row = make($("source"), "div", {});
      make(row, "span", { class: "no" }, i + 1);
      make(row, "span", { class: "tags" });
      make(row, "span", {}, text);
      row.addEventListener("click", () => { $("search").value = String(i + 1); search(); });
      return row;
    });
  });

  // ---- the time: a lane for each worker
  const LEFT = 70, WIDE = Math.max(330, Math.min(1160, innerWidth - 50)), LANE = 26, x = i => LEFT + (S.length < 2 ? 0 : i * (WIDE - LEFT - 20) / (S.length - 1));
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

  // ---- values: a leaf is a text, → before what it points to; others are cells or members
  function value(parent, shape, state, fresh) {
    if (shape.a) {
      const cells = make(parent, "span", { class: "cells" });
      for (const s of shape.a) value(make(cells, "span", {}), s, state, fresh);
      if (shape.n > shape.a.length) make(cells, "span", { class: "quiet" }, "… " + shape.n);
      return;
    }
    if (shape.m) {
      const box = make(parent, "span", { class: "box vars" });
      for (const [name, s] of shape.m) { const m = make(box, "span", {}); make(m, "span", { class: "name" }, name + " "); value(m, s, state, fresh); }
      return;
    }
    const [text, to] = (state.values.get(shape) || "?").split("#");
    const e = make(parent, "span", { class: "value" + (to ? " pointer" : "") + (fresh.has(shape) ? " changed" : "") }, text);
    if (to) e.addEventListener("click", () => {
      for (const old of document.querySelectorAll(".target")) old.classList.remove("target");
      const found = document.querySelector('[data-variable="' + to + '"]');
      if (found) { found.classList.add("target"); found.scrollIntoView({ block: "nearest" }); }
    });
  }
  function variable(parent, k, state, fresh, pending) {
    const row = make(parent, "span", { class: pending ? "variable pending" : "variable", "data-variable": k, title: pending ? "a child will deliver its value" : "" });
    make(row, "span", { class: "name" }, V[k].n + " = ");
    value(row, V[k].s, state, fresh);
  }

  // ---- the tree of instances: those that live with what they have, of the rest one line each
  const children = D.instances.map(() => []), roots = [], MOST = 120, STRONG = 2;
  D.instances.forEach((v, i) => (v.parent >= 0 ? children[v.parent] : roots).push(i));
  const worker = [];      // instance -> the worker that ran it last, and when
  S.forEach((s, i) => { const top = (s.stacks[s.w] || []).slice(-1)[0]; if (top !== undefined) (worker[top] = worker[top] || []).push([i, s.w]); });
  function tree(state, fresh) {
    const s = S[at], runs = new Map(), pending = new Set(s.pending);
    let placed = 0;
    $("tree").textContent = "";
    s.stacks.forEach((stack, w) => stack.forEach(i => runs.set(i, w)));
    (function place(list, depth) {
      for (const i of list) {
        if (D.instances[i].born > at || placed++ > MOST) continue;
        const v = D.instances[i], waits = s.waiting.includes(i), live = runs.has(i) || waits;
        const before = (worker[i] || []).filter(r => r[0] <= at).slice(-1)[0], w = runs.has(i) ? runs.get(i) : before ? before[1] : undefined;
        const box = make($("tree"), "div", { class: "instance" + (waits ? " waits" : live ? "" : " done"), style: "margin-left:" + Math.min(depth * 18, 180) + "px;" +
          (live ? "border-width:" + STRONG + "px;border-color:" + (waits || w === undefined ? "var(--quiet)" : colour(w)) : "") });
        make(box, "b", {}, v.label || v.name);
        make(box, "span", { class: "quiet" }, (v.line ? " spawned on line " + v.line : "") + (waits ? ", waits at a sync" : live ? "" : ", done"));
        if (live) for (const [name, visible] of state.frames.get(i) || []) {
          const row = make(box, "div", { class: "vars" });
          if (name) make(row, "span", { class: "quiet" }, "in " + name + "():");
          for (const k of visible) variable(row, k, state, fresh, pending.has(k));
        }
        place(children[i], depth + 1);
      }
    })(roots, 0);
  }
  function section(id, title, list, state, fresh) {
    $(id).textContent = "";
    if (list.length) make($(id), "h2", {}, title);
    for (const k of list) variable(make($(id), "div", { class: "object" }), k, state, fresh, false);
  }
  function locks(s) {
    $("locks").textContent = "";
    if (s.locks.length) make($("locks"), "h2", {}, "locks");
    for (const [name, w, line, waiters] of s.locks)
      make($("locks"), "div", {}, name + ": worker " + w + " holds it (line " + line + ")" + (waiters.length ? "; worker " + waiters.join(", ") + " waits" : ""));
  }

  function show(i) {
    if (!S.length) { $("says").textContent = "nothing was recorded"; return; }
    at = Math.max(0, Math.min(S.length - 1, i));
    const s = S[at], lines = new Map();
    const state = stateAt(at), fresh = new Set((s.c || []).filter((_, k) => k % 2 === 0));
    $("where").textContent = "point " + s.n + " (step " + (at + 1) + " of " + S.length + ")";
    $("says").textContent = s.says;
    $("says").style.color = colour(s.w);
    $("note").textContent = s.note;
    $("events").textContent = "";
    let last = at - 1;
    while (last >= 0 && S[last].w !== s.w) last--;
    if (last >= 0 && S[last].done) make($("events"), "li", { class: "done" }, S[last].done);
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
      make(box, "span", {}, stack.map(k => D.instances[k].label || D.instances[k].name).join(" → "));
      const deque = make(box, "div", {}, "deque: ");
      for (const entry of s.deques[w] || []) make(deque, "span", { class: "chip" }, entry);
      if (!(s.deques[w] || []).length) make(deque, "span", { class: "quiet" }, "empty");
      let k = at;
      while (k >= 0 && S[k].w !== w) k--;
      if (F.switches && w !== s.w) make(box, "button", { class: "choose", title: "another run: after this point, worker " + w + " goes on" }, "let it go next").addEventListener("click", () => choose(s.n, w));
      if (w !== s.w && k >= 0 && stack.length) make(box, "div", { class: "quiet" }, S[k].says.replace(/^worker \d+:? ?/, ""));
    }
    tree(state, fresh);
    section("globals", "global variables", V.map((v, k) => k).filter(k => V[k].o === -1), state, fresh);
    section("heap", "on the heap", [...state.heap], state, fresh);
    locks(s);
    $("got").textContent = at === S.length - 1 ? F.output + (F.stderr ? "\n" + F.stderr : "") : decode(s.out);
    cursor.setAttribute("x1", x(at));
    cursor.setAttribute("x2", x(at));
    label.setAttribute("x", x(at));
    label.textContent = s.n;
    document.body.dataset.step = at;
    history.replaceState(null, "", "#step=" + s.n);
    $("where").setAttribute("href", "#step=" + s.n);
  }
  const turn = (from, by) => { for (let k = from + by; k >= 0 && k < S.length; k += by) if (D.turns.includes(k)) return k; return by < 0 ? 0 : S.length - 1; };
  const bytes = new TextEncoder().encode(F.output), decode = n => new TextDecoder().decode(bytes.slice(0, n));
  const steal = () => { for (let k = at + 1; k < S.length; k++) if (S[k].before.some(e => e.includes(" steals "))) return k; return at; };
  // the server runs the program by the list in the address: play/steps.py
  function choose(number, w) {
    const query = new URLSearchParams(location.search), list = F.switches.filter(s => s[0] < number).concat([[number, w]]);
    query.set("schedule", list.map(s => s.join("=")).join(","));
    location.assign("?" + query + "#step=" + (number + 1));
  }
  // a number is a line; a name, where a variable of it changes
  function search() {
    const wanted = $("search").value.trim();
    if (!wanted) return;
    for (let d = 1; d <= S.length; d++) {
      const k = (at + d) % S.length, s = S[k];
      const changed = (s.c || []).some((leaf, j) => j % 2 === 0 && owner.get(leaf) && owner.get(leaf).n === wanted);
      if (/^\d+$/.test(wanted) ? s.line === +wanted && s.file === 0 : changed || s.says.includes(wanted)) return show(k);
    }
  }
  $("search").addEventListener("keydown", e => { if (e.key === "Enter") search(); e.stopPropagation(); });
  let timer = null;
  function play() {
    if (timer) clearInterval(timer);
    timer = timer ? null : setInterval(() => { if (at >= S.length - 1) play(); else show(at + 1); }, 1000 / +$("speed").value);
    $("play").textContent = timer ? "pause" : "play";
  }
  const actions = { play: play, steal: () => show(steal()), first: () => show(0), back: () => show(at - 1), forward: () => show(at + 1), last: () => show(S.length - 1), turn: () => show(turn(at, 1)), turnback: () => show(turn(at, -1)) };
  for (const id in actions) $(id).addEventListener("click", actions[id]);
  document.addEventListener("keydown", e => {
    const name = { ArrowLeft: e.shiftKey ? "turnback" : "back", ArrowRight: e.shiftKey ? "turn" : "forward", Home: "first", End: "last", s: "steal", " ": "play" }[e.key];
    if (e.key === "/") { $("search").focus(); e.preventDefault(); }
    if (name) { actions[name](); e.preventDefault(); }
  });
  const asked = /step=(\d+)/.exec(location.hash), wanted = asked ? S.findIndex(s => s.n >= +asked[1]) : -1;
  window.addEventListener("hashchange", () => { const k = S.findIndex(s => "#step=" + s.n === location.hash); if (k >= 0 && k !== at) show(k); });
  show(wanted >= 0 ? wanted : F.found && D.turns.length ? D.turns[0] : 0);
})();
