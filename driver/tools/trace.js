// trace.js - draws a trace (trace_page.py): the overview, a lane for each worker, arrows, and what is under the mouse. Times are ns from the begin.
// The view is [from, to); all that is drawn follows from it. `#t=FROM,TO` in the address, in microseconds, sets it.
"use strict";
(function () {
  const D = JSON.parse(document.getElementById("data").textContent);
  const P = D.workers.length, END = Math.max(1, Math.round(D.seconds * 1e9));
  const $ = id => document.getElementById(id);
  const LEFT = 84, LANE = 50, BAR = 22, SUB = 12, AXIS = 22;
  // The page's colours, which are others in the dark (trace.html); read before each drawing.
  const page = {}, NAMES = ["ink", "quiet", "line", "box", "veil", "idle", "steal"];
  const readColours = () => NAMES.forEach(name => page[name] = getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim());
  const state = kind => kind === 2 ? page.idle : kind === 1 ? "#f3d36b" : "#a99bc4";
  const LOCK = "#d43f3a", WAIT = "#8a4fbf", TOUCH = "#0e8f9c";
  const EVENT = ["#0b8f4d", "#c2187a", "#d43f3a", "#5b3fa0", TOUCH];
  const PALETTE = ["#3b7dd8", "#2ca58d", "#e07b39", "#7a9e2e", "#b0568f", "#4aa3c7", "#9c6b3f", "#6a6fd0", "#c9a227", "#4f8f5b", "#d0637c", "#5c7a99"];

  // ---- the data by lane: columns of numbers, in the order of time
  function byLane(flat, width) {
    const lanes = Array.from({ length: P }, () => []);
    for (let i = 0; i < flat.length; i += width) lanes[flat[i]].push(flat.slice(i + 1, i + width));
    return lanes;
  }
  const states = byLane(D.states, 5), spawns = byLane(D.spawns, 5), locks = byLane(D.locks, 3), events = byLane(D.events, 4);
  const steals = [], waits = [];
  for (let i = 0; i < D.steals.length; i += 4) steals.push(D.steals.slice(i, i + 4));
  for (let i = 0; i < D.suspended.length; i += 6) waits.push(D.suspended.slice(i, i + 6));
  waits.sort((a, b) => a[2] - b[2]);

  // A colour for each procedure, those that ran longest first.
  const ran = new Map();
  for (const lane of states) for (const [, length, state, place] of lane) if (state === 0) ran.set(D.places[place][2], (ran.get(D.places[place][2]) || 0) + length);
  for (const lane of spawns) for (const [, , place] of lane) { const name = D.places[place][3] || D.places[place][2]; if (!ran.has(name)) ran.set(name, 0); }
  const names = [...ran.keys()].sort((a, b) => ran.get(b) - ran.get(a));
  const colours = new Map(names.map((name, i) => [name, PALETTE[i % PALETTE.length]]));
  const colourOf = name => colours.get(name) || PALETTE[0];

  function time(ns) {
    for (const [unit, name] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) if (Math.abs(ns) >= unit) return (ns / unit).toPrecision(4).replace(/\.?0+$/, "") + " " + name;
    return Math.round(ns) + " ns";
  }
  const percent = x => (100 * x).toFixed(1) + " %";

  // ---- the view
  let from = 0, to = END;
  const SHORTEST = Math.min(100, END);
  function view(a, b) {
    let wide = Math.min(END, Math.max(SHORTEST, b - a));
    from = Math.max(0, Math.min(END - wide, a));
    to = from + wide;
    $("range").textContent = time(from) + " to " + time(to) + " (" + time(to - from) + ")";
    document.body.dataset.view = Math.round(from) + "," + Math.round(to);
    requestAnimationFrame(draw);
  }
  function zoom(factor, at) {
    const where = at === undefined ? (from + to) / 2 : at;
    view(where - (where - from) * factor, where + (to - where) * factor);
  }
  const lanes = $("lanes"), overview = $("overview");
  function prepare(canvas, height) {
    const width = canvas.clientWidth, ratio = window.devicePixelRatio || 1;
    canvas.style.height = height + "px";
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    g.font = "12px system-ui, sans-serif";
    g.textBaseline = "middle";
    return [g, width];
  }
  const xOf = (t, width) => LEFT + (t - from) / (to - from) * (width - LEFT);
  const tOf = (x, width) => from + (x - LEFT) / (width - LEFT) * (to - from);
  const top = w => AXIS + w * LANE;
  function firstAfter(items, t, end) {          // the first item of which end(item) > t
    let a = 0, b = items.length;
    while (a < b) { const m = (a + b) >> 1; if (end(items[m]) > t) b = m; else a = m + 1; }
    return a;
  }

  // Bars of a lane: what is narrower than a pixel shares it with its neighbours; the widest of them gives the colour.
  function bars(g, items, width, y, height, colour, label) {
    let pixel = -1, best = 0, shade = "";
    const flush = () => { if (pixel >= 0) { g.fillStyle = shade; g.fillRect(pixel, y, 1, height); } pixel = -1; best = 0; };
    for (let i = firstAfter(items, from, e => e[0] + e[1]); i < items.length && items[i][0] < to; i++) {
      const a = Math.max(LEFT, xOf(items[i][0], width)), b = Math.min(width, xOf(items[i][0] + items[i][1], width));
      const fill = colour(items[i]);
      if (b - a < 1) {
        if (Math.floor(a) !== pixel) { flush(); pixel = Math.floor(a); }
        if (b - a >= best) { best = b - a; shade = fill; }
        continue;
      }
      flush();
      g.fillStyle = fill;
      g.fillRect(a, y, b - a, height);
      const text = label && b - a > 30 && label(items[i]);
      if (b - a > 4) { g.fillStyle = page.veil; g.fillRect(b - 1, y, 1, height); }
      if (text) {
        g.save(); g.beginPath(); g.rect(a, y, b - a - 3, height); g.clip();
        g.fillStyle = "#fff"; g.fillText(text, a + 5, y + height / 2 + 0.5); g.restore();
      }
    }
    flush();
  }

  function axis(g, width) {
    const rough = (to - from) / Math.max(2, (width - LEFT) / 110), power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find(f => f * power >= rough);
    g.fillStyle = page.quiet; g.strokeStyle = page.line;
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
      const x = Math.round(xOf(t, width)) + 0.5;
      g.beginPath(); g.moveTo(x, AXIS - 6); g.lineTo(x, top(P)); g.stroke();
      g.textAlign = x > width - 40 ? "right" : "left";
      g.fillText(time(t), x + (x > width - 40 ? -3 : 3), 8);
    }
    g.textAlign = "left";
  }

  function arrow(g, x0, y0, x1, y1, colour, dashed) {
    g.strokeStyle = g.fillStyle = colour;
    g.setLineDash(dashed ? [4, 3] : []);
    const d = Math.sign(y1 - y0) || 1;
    g.beginPath(); g.moveTo(x0, y0);
    if (x0 === x1) g.lineTo(x1, y1 - 5 * d); else g.bezierCurveTo(x0, y0 + 24 * d, x1, y1 - 24 * d, x1, y1 - 5 * d);
    g.stroke(); g.setLineDash([]);
    g.beginPath(); g.moveTo(x1, y1); g.lineTo(x1 - 3.5, y1 - 7 * d); g.lineTo(x1 + 3.5, y1 - 7 * d); g.fill();
  }
  const MOST = 600;                             // arrows at once: more are a black surface
  function some(items, inside) {
    const found = items.filter(inside), step = Math.max(1, Math.ceil(found.length / MOST));
    return [found.filter((_, i) => i % step === 0), found.length];
  }

  // A line of the source that another page has chosen (see.js): what is neither of this line, nor of its procedure if the line has nothing, is pale.
  let chosen = null;
  const shade = (number, colour) => !chosen || chosen.has(number) ? colour : page.line;
  addEventListener("message", e => {
    if (!e.data || e.data.cilk !== "line") return;
    const { file, line, procedure } = e.data, here = p => p[0].split("/").pop() === file.split("/").pop();
    const all = D.places.map((p, i) => [p, i]), exact = all.filter(([p]) => p[1] === line && here(p)), found = exact.length ? exact : all.filter(([p]) => p[2] === procedure);
    chosen = new Set(found.map(([, i]) => i));
    draw();
    if (parent !== window) parent.postMessage({ cilk: "count", id: "trace", count: chosen.size }, "*");
  });

  function draw() {
    readColours();
    document.body.dataset.ink = page.ink;
    const [g, width] = prepare(lanes, top(P) + 10);
    axis(g, width);
    for (let w = 0; w < P; w++) {
      const y = top(w) + 4;
      g.fillStyle = page.ink; g.fillText("worker " + w, 0, y + 9);
      g.fillStyle = page.quiet; g.fillText(percent(D.workers[w].utilisation), 0, y + 25);
      bars(g, states[w], width, y, BAR, s => s[2] ? state(s[2]) : shade(s[3], colourOf(D.places[s[3]][2])), s => s[2] ? "" : D.places[s[3]][2]);
      bars(g, spawns[w], width, y + BAR + 1, SUB, s => shade(s[2], colourOf(D.places[s[2]][3] || D.places[s[2]][2])), s => D.places[s[2]][3]);
      bars(g, locks[w], width, y, BAR, () => LOCK);
      let last = -9;
      for (let i = firstAfter(events[w], from, e => e[0]); i < events[w].length && events[w][i][0] < to; i++) {
        const x = xOf(events[w][i][0], width);
        if (x - last < 2) continue;
        last = x;
        g.fillStyle = EVENT[events[w][i][1]];
        g.beginPath(); g.moveTo(x, y + BAR - 7); g.lineTo(x + 3.5, y + BAR); g.lineTo(x - 3.5, y + BAR); g.fill();
      }
      g.fillStyle = page.line; g.fillRect(0, top(w) + LANE - 4, width, 1);
    }
    let omitted = [];
    if ($("waits").checked) {
      const [drawn, all] = some(waits, s => s[0] < to && s[2] > from);
      for (const [t0, w0, t1, w1, , future] of drawn) {
        arrow(g, Math.max(LEFT, xOf(t0, width)), top(w0) + 4 + BAR, Math.min(width, xOf(t1, width)), top(w1) + (w1 > w0 ? 4 : 4 + BAR), future ? TOUCH : WAIT, true);
      }
      if (drawn.length < all) omitted.push(drawn.length + " of " + all + " suspensions drawn");
    }
    if ($("arrows").checked) {
      const [drawn, all] = some(steals, s => s[0] >= from && s[0] < to);
      for (const [t, victim, thief] of drawn) {
        const x = xOf(t, width), down = thief > victim;
        arrow(g, x, top(victim) + 4 + (down ? BAR / 2 : BAR / 2), x, top(thief) + 4 + (down ? 0 : BAR), page.steal, false);
      }
      if (drawn.length < all) omitted.push(drawn.length + " of " + all + " steals drawn: zoom in for the others");
    }
    $("range").title = omitted.join("; ");
    if (omitted.length)
      $("range").textContent = $("range").textContent.replace(/ · .*| *$/, "") + " · " + omitted.join("; ");
    drawOverview();
  }

  // How many workers run the program, over all of the time; the view as a window in it.
  function drawOverview() {
    const H = 64, [g, width] = prepare(overview, H + 4), n = D.buckets[0].length, wide = (width - LEFT) / n;
    g.fillStyle = page.quiet;
    g.fillText("busy", 0, 10); g.fillText("workers", 0, 25);
    g.textAlign = "right"; g.fillText(String(P), LEFT - 6, 8); g.fillText("0", LEFT - 6, H - 6); g.textAlign = "left";
    g.fillStyle = page.box; g.fillRect(LEFT, 2, width - LEFT, H - 2);
    g.fillStyle = "#3b7dd8";
    for (let i = 0; i < n; i++) {
      let busy = 0;
      for (const row of D.buckets) busy += row[i];
      const h = (H - 2) * busy / P;
      g.fillRect(LEFT + i * wide, H - h, Math.ceil(wide * 10) / 10 + 0.3, h);
    }
    const a = LEFT + from / END * (width - LEFT), b = LEFT + to / END * (width - LEFT);
    g.fillStyle = page.veil; g.fillRect(LEFT, 0, a - LEFT, H + 2); g.fillRect(b, 0, width - b, H + 2);
    g.strokeStyle = page.ink; g.strokeRect(a + 0.5, 1.5, Math.max(2, b - a - 1), H);
  }

  // ---- what is under the mouse
  function place(number) {
    const [file, line, procedure, , text] = D.places[number];
    const out = document.createDocumentFragment();
    if (file) out.append(Object.assign(document.createElement("div"), { textContent: file + (line ? ":" + line : "") + (procedure ? " in " + procedure : "") }));
    if (text.length) {
      const pre = document.createElement("pre");
      for (const [n, t] of text) pre.append(Object.assign(document.createElement(n === line ? "b" : "span"), { textContent: String(n).padStart(5) + "  " + t }), "\n");
      out.append(pre);
    }
    return out;
  }
  function near(items, t, reach, at) {
    let best = null;
    for (let i = firstAfter(items, t - reach, at); i < items.length && at(items[i]) <= t + reach; i++)
      if (!best || Math.abs(at(items[i]) - t) < Math.abs(at(best) - t)) best = items[i];
    return best;
  }
  const covering = (items, t) => { const found = items[firstAfter(items, t, e => e[0] + e[1])]; return found && found[0] <= t ? found : null; };
  function under(x, y, width) {
    const w = Math.floor((y - AXIS) / LANE);
    if (w < 0 || w >= P || x < LEFT) return null;
    const t = tOf(x, width), inLane = y - top(w) - 4, reach = (to - from) / (width - LEFT) * 4;
    const said = (title, number) => [title + " · worker " + w + " · at " + time(t), number];
    const e = inLane > BAR - 8 && inLane < BAR + 1 && near(events[w], t, reach, s => s[0]);
    if (e) return said(D.eventNames[e[1]], e[2]);
    const s = $("arrows").checked && near(steals, t, reach / 2, s => s[0]);
    if (s && (s[1] === w || s[2] === w)) return said("worker " + s[2] + " steals from worker " + s[1], s[3]);
    const lock = covering(locks[w], t);
    if (lock && inLane <= BAR) return said("waiting for a lock, " + time(lock[1]), 0);
    const spawn = inLane > BAR && covering(spawns[w], t);
    if (spawn) return said("since the spawn of " + (D.places[spawn[2]][3] || "a procedure") + ", " + time(spawn[1]) + (spawn[3] > 1 ? " (one of " + spawn[3] + " spawns noted)" : ""), spawn[2]);
    const state = covering(states[w], t);
    if (!state) return null;
    return said((state[2] ? D.stateNames[state[2]] : "running " + D.places[state[3]][2]) + ", " + time(state[1]), state[3]);
  }
  function point(event) {
    const found = under(event.offsetX, event.offsetY, lanes.clientWidth), tip = $("tip");
    tip.style.display = found ? "block" : "none";
    if (!found) return;
    tip.replaceChildren(Object.assign(document.createElement("strong"), { textContent: found[0] }), place(found[1]));
    tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, event.clientY + 18 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 12 : event.clientY + 18) + "px";
  }

  // ---- what the user does
  let grabbed = null;
  lanes.addEventListener("wheel", e => {
    e.preventDefault();
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) { const by = (e.deltaX || e.deltaY) / lanes.clientWidth * (to - from); view(from + by, to + by); }
    else zoom(Math.exp(Math.max(-100, Math.min(100, e.deltaY)) / 400), tOf(e.offsetX, lanes.clientWidth));
  }, { passive: false });
  lanes.addEventListener("pointerdown", e => { grabbed = [e.clientX, from, to]; lanes.setPointerCapture(e.pointerId); $("tip").style.display = "none"; });
  lanes.addEventListener("pointermove", e => {
    if (!grabbed) return point(e);
    const by = (grabbed[0] - e.clientX) / (lanes.clientWidth - LEFT) * (grabbed[2] - grabbed[1]);
    view(grabbed[1] + by, grabbed[2] + by);
  });
  lanes.addEventListener("pointerup", () => { grabbed = null; });
  lanes.addEventListener("pointerleave", () => { $("tip").style.display = "none"; });
  lanes.addEventListener("click", e => {
    const found = under(e.offsetX, e.offsetY, lanes.clientWidth), at = found && D.places[found[1]];
    if (at && at[0] && parent !== window) parent.postMessage({ cilk: "picked", file: at[0], line: at[1] }, "*");
  });
  lanes.addEventListener("dblclick", e => {
    const w = Math.floor((e.offsetY - AXIS) / LANE), found = states[w] && covering(states[w], tOf(e.offsetX, lanes.clientWidth));
    if (found) view(found[0] - found[1] / 20, found[0] + found[1] * 1.05);
  });
  const jump = e => { const at = (e.offsetX - LEFT) / (overview.clientWidth - LEFT) * END, half = (to - from) / 2; view(at - half, at + half); };
  overview.addEventListener("pointerdown", e => { overview.setPointerCapture(e.pointerId); jump(e); });
  overview.addEventListener("pointermove", e => { if (e.buttons) jump(e); });
  $("in").onclick = () => zoom(0.5);
  $("out").onclick = () => zoom(2);
  $("fit").onclick = () => view(0, END);
  $("arrows").onchange = $("waits").onchange = draw;
  addEventListener("keydown", e => {
    const step = (to - from) / 5;
    const does = { "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => view(0, END), ArrowLeft: () => view(from - step, to - step), ArrowRight: () => view(from + step, to + step) }[e.key];
    if (does && !e.ctrlKey && !e.metaKey) { does(); e.preventDefault(); }
  });
  addEventListener("resize", draw);

  // ---- the text around it
  document.querySelector("h1").textContent = D.command;
  $("facts").textContent = P + (P === 1 ? " worker, " : " workers, ") + time(END) + ", utilisation " + percent(D.utilisation) + ", " + D.workers.reduce((n, w) => n + w.steals, 0) + " steals";
  const notes = [];
  if (!D.complete) notes.push("The program ended early: this is what was written until then.");
  if (D.lost) notes.push(D.lost + " events came too fast to be kept.");
  for (const [what, [kept, all]] of Object.entries(D.thinned)) notes.push("Thinned evenly: " + kept + " of " + all + " " + what + " are shown.");
  $("notes").textContent = notes.join(" ");
  const legend = $("legend");
  function entry(colour, text, shape) {
    const span = document.createElement("span"), i = document.createElement("i");
    i.style.background = colour;
    if (shape === "event") i.style.clipPath = "polygon(50% 0, 90% 100%, 10% 100%)";
    if (shape === "arrow") { i.style.height = "2px"; i.style.verticalAlign = "4px"; }
    span.append(i, text);
    legend.append(span);
  }
  for (const name of names.slice(0, 12)) entry(colourOf(name), "running " + (name || "?"));
  if (names.length > 12) entry("#888", "and " + (names.length - 12) + " more procedures, in the same colours");
  [1, 2, 3].forEach(s => entry(s === 2 ? "var(--idle)" : state(s), D.stateNames[s]));
  entry(LOCK, "waiting for a lock");
  D.eventNames.forEach((name, i) => { if (i < 4 || events.some(lane => lane.some(e => e[1] === i))) entry(EVENT[i], name, "event"); });
  entry("var(--steal)", "steal, from victim to thief", "arrow");
  entry(WAIT, "suspended, then resumed", "arrow");
  if (waits.some(s => s[5])) entry(TOUCH, "waiting for a future, then resumed", "arrow");
  entry("linear-gradient(#3b7dd8 50%, #fff 50%, #fff 60%, #2ca58d 60%)", "upper bar: what was taken; lower: the last spawn noted");
  const table = $("workers"), columns = [["worker", "worker"], ["utilisation", "utilisation"], ["searching", "searching"], ["sleeping", "sleeping"], ["waiting_for_locks", "locks"],
    ["steals", "steals"], ["stolen_from", "stolen from it"], ["releases", "releases"], ["suspended", "suspended"], ["waits_for_futures", "waits for futures"], ["inlets", "inlets"], ["aborts", "aborts"], ["sleeps", "sleeps"]];
  if (!D.workers.some(w => w.waits_for_futures)) columns.splice(columns.findIndex(c => c[0] === "waits_for_futures"), 1);
  const head = table.insertRow();
  for (const [, title] of columns) head.append(Object.assign(document.createElement("th"), { textContent: title }));
  for (const w of D.workers) {
    const row = table.insertRow();
    for (const [key] of columns) {
      const cell = row.insertCell();
      if (key === "utilisation") {
        const share = Object.assign(document.createElement("span"), { className: "share" }), bar = document.createElement("i");
        bar.style.width = percent(w.utilisation).replace(" ", "");
        share.append(bar);
        cell.append(share, Object.assign(document.createElement("span"), { className: "figure", textContent: percent(w.utilisation) }));
      } else cell.textContent = ["searching", "sleeping", "waiting_for_locks"].includes(key) ? percent(w[key] / D.seconds) : String(w[key]);
    }
  }
  const asked = /^#t=([\d.]+),([\d.]+)$/.exec(location.hash);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  if (asked) view(asked[1] * 1000, asked[2] * 1000); else view(0, END);
  draw();
  document.body.dataset.ready = "yes";
})();
