// dag.js - the page of `cilkc dag`: boxes that open and close, laid out as dag_draw.py does it. A box is made when the
// box around it opens, from its record.
"use strict";
(() => {
  const D = JSON.parse(document.getElementById("data").textContent), $ = id => document.getElementById(id);
  const { SPAWN, CALL, SYNC, TOUCH, INLET, ABORTS, ABORTED, CRITICAL, FOLDED, INLET_BACK, ABORTS_BACK, WAITS } = D.bits;
  const R = 12, SLOT = 40, PAD = 8, TITLE = 17, ROW = 52, GAP = 34, CLOSED = 40, BOLD = 7.3, SMALL = 5.7, MOST = 4000, READABLE = 0.85;

  const number = n => n.toLocaleString("en-US");
  function short(n) {
    for (const [unit, size] of [["", 1], ["k", 1e3], ["M", 1e6], ["G", 1e9], ["T", 1e12], ["P", 1e15]])
      if (n < 1000 * size) return n >= 10 * size || size === 1 ? Math.floor(n / size) + unit : (n / size).toFixed(1) + unit;
    return n.toExponential(0);
  }
  const nameOf = p => p >= 0 ? D.procedures[p][0] : "the program";
  // A step's cells by name, and what it is true of. A row ends before the cells that are zero.
  const named = row => Object.fromEntries([...D.columns[row[0]].map((name, i) => [name, row[i] || 0]), ...D.true.map((name, bit) => [name, (row[1] >> bit & 1) !== 0])]);
  const records = D.records.map(r => ({ procedure: r[0], work: r[1], span: r[2], instances: r[3], strands: r[4], steps: r[5].map(named) }));

  // ---- boxes
  function makeBox(of, count, on, aborted, site, folded) {
    return { procedure: of.procedure, name: nameOf(of.procedure), record: of.record, work: of.work, span: of.span, instances: of.instances, strands: of.strands, count, on, aborted, site, folded,
      open: false, items: null };
  }
  const top = records[0];
  const root = makeBox({ procedure: top.procedure, record: 0, work: top.work, span: top.span, instances: top.instances, strands: top.strands }, 1, true, false, -1, false);
  const canOpen = b => b.record >= 0;
  function open(b) {
    b.open = true;
    if (b.items) return;
    const onPath = D.jumps || b.on;
    b.items = records[b.record].steps.map(step => {
      let child = null;
      if (step.kind === SPAWN || step.kind === CALL) {
        child = makeBox(step, step.count, onPath && step.passed, b.aborted || (step.mark & ABORTED) !== 0, step.site, (step.mark & FOLDED) !== 0);
        child.around = b;
        child.number = step.spawned;
      }
      return { step, child, on: onPath && step.on, delivers: onPath && step.delivers };
    });
  }
  function all(visit) {
    const todo = [root];
    while (todo.length) {
      const b = todo.pop();
      visit(b);
      if (b.open) for (let i = b.items.length - 1; i >= 0; i--) if (b.items[i].child) todo.push(b.items[i].child);
    }
  }
  const drawn = () => { let n = 0; all(b => { if (b.open) n += b.items.length; }); return n; };
  // Those with the most work first, until there are `most` strands.
  function openMore(most) {
    let n = drawn();
    const queue = [];
    all(b => { if (!b.open && canOpen(b)) queue.push(b); });
    while (queue.length) {
      let best = 0;
      for (let i = 1; i < queue.length; i++) if (queue[i].work / queue[i].count > queue[best].work / queue[best].count) best = i;
      const b = queue.splice(best, 1)[0], cost = records[b.record].steps.length;
      if (n && n + cost > most) continue;
      n += cost;
      open(b);
      for (const item of b.items) if (item.child && canOpen(item.child)) queue.push(item.child);
    }
  }
  function openPath() {
    let n = drawn();
    all(b => { if (b.on && !b.open && canOpen(b) && n < MOST) { open(b); n += b.items.length; } });
  }

  // ---- layout
  function label(b) {
    return [b.name + (b.count > 1 ? " ×" + short(b.count) : "") + (b.instances > b.count ? ", " + short(b.instances) + " in it" : ""), "work " + short(b.work) + "  span " + short(b.span)];
  }
  let size = [0, 0];
  function layout() {
    const order = [];
    all(b => order.push(b));
    for (let k = order.length - 1; k >= 0; k--) {
      const b = order[k];
      b.reach = 0;
      if (!b.open) {
        b.width = b.reach = Math.max(SLOT, BOLD * label(b)[0].length + 2 * PAD, SMALL * label(b)[1].length + 2 * PAD);
        b.height = CLOSED;
        continue;
      }
      let x = 0, right = 0;
      for (const item of b.items) {
        if (item.step.is_strand || item.child) { item.dx = x + SLOT / 2; right = item.dx + SLOT / 2; }
        const reach = item.child ? item.child.reach + PAD : 0;
        b.reach = Math.max(b.reach, x + reach);
        x += item.step.is_strand ? Math.max(SLOT, reach) : 0;
      }
      b.width = Math.max(right, SLOT / 2 + (right <= SLOT ? R + 5 : 7) + BOLD * (b.name.length + (b.count > 1 ? 6 : 0)) + PAD);
      b.height = ROW;
      b.reach = Math.max(b.reach, b.width);
    }
    root.x = root.y = 0;
    let bottom = 0;
    for (const b of order) {
      bottom = Math.max(bottom, b.y + b.height);
      if (b.open) for (const item of b.items) {
        item.x = (item.dx || 0) + b.x;
        item.y = b.y + TITLE + R + 5;
        if (item.child) { item.child.x = item.x - SLOT / 2; item.child.y = b.y + ROW + GAP; }
      }
    }
    size = [root.reach, bottom];
    return order;
  }
  function ends(b) {
    if (!b.open) return [[b.x + SLOT / 2, b.y], [b.x + b.width - 12, b.y]];
    const s = b.items.filter(i => i.step.is_strand);
    return [[s[0].x, s[0].y - R], [s[s.length - 1].x + 8, s[s.length - 1].y - R + 3]];
  }

  // ---- drawing
  const NS = "http://www.w3.org/2000/svg";
  function make(name, attributes, text) {
    const e = document.createElementNS(NS, name);
    for (const key in attributes) e.setAttribute(key, attributes[key]);
    if (text !== undefined) e.textContent = text;
    return e;
  }
  const svg = make("svg", { "font-family": "system-ui, sans-serif", "font-size": 11 }), content = make("g", {});
  const defs = make("defs", {});
  for (const [id, cls, wide] of [["a", "head", 7], ["b", "head on", 9]]) {
    const m = make("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: wide, markerHeight: wide, markerUnits: "userSpaceOnUse", orient: "auto" });
    m.append(make("path", { class: cls, d: "M0 1 8 4 0 7z" }));
    defs.append(m);
  }
  svg.append(defs, content);
  $("view").append(svg);

  const f = x => x.toFixed(1);
  function edge(kind, d, on) { return make("path", { class: "edge " + kind + (on ? " on" : ""), d, "marker-end": "url(#" + (on ? "b" : "a") + ")" }); }
  // The box whose end a touch in b waits for, if it is drawn: so many levels up, so many spawns ago.
  function touched(b, step) {
    let owner = b, number = -1;
    for (let i = 0; i < step.up && owner; i++) { number = owner.number; owner = owner.around; }
    if (!owner || !owner.open) return null;
    if (number < 0) number = step.spawned;
    const found = owner.items.find(i => i.child && i.step.kind === SPAWN && i.child.number - i.child.count < number - step.ago && number - step.ago <= i.child.number);
    return found ? found.child : null;
  }
  function drawEdges(b, out) {
    let waiting = [], spawned = [], last = null, touching = null;
    for (const item of b.items) {
      if (item.step.is_strand) {
        if (last && last.step.kind !== CALL)
          out.append(edge("successor", "M" + f(last.x + R) + " " + f(last.y) + "H" + f(item.x - R), last.on && item.on && !(last.child && last.child.on)));
        for (const back of waiting) {
          const [, [x, y]] = ends(back.child), step = back.step;
          out.append(edge("return", "M" + f(x) + " " + f(y) + "C" + f(x) + " " + f(back.child.y - 30) + " " + f(item.x) + " " + f(item.y + ROW - TITLE + 26) + " " + f(item.x) + " " + f(item.y + R),
            back.delivers || back.child.on && b.on && (!D.jumps || (item.on && (step.kind === CALL || (step.mark & CRITICAL) !== 0)))));
          if (step.mark & (INLET_BACK | ABORTS_BACK)) {
            const g = make("g", { class: "note" });
            g.text = ["inlet " + step.inlet + (step.mark & ABORTS_BACK ? ", which aborts" : ""), step.site];
            g.append(make("path", { class: "inlet", d: "M" + f(x) + " " + f(back.child.y - 17) + "l6 6-6 6-6-6z" }),
              make("text", { x: f(x + 9), y: f(back.child.y - 7), "font-size": 10 }, step.inlet + (step.mark & ABORTS_BACK ? " aborts" : "")));
            out.append(g);
          }
        }
        waiting = [];
        const from = touching && touched(b, touching.step);
        if (from) {
          const [, [x, y]] = ends(from);
          out.append(edge("touch", "M" + f(x) + " " + f(y) + "C" + f(x + 10) + " " + f(y - 26) + " " + f(item.x - 12) + " " + f(item.y - 40) + " " + f(item.x - 3) + " " + f(item.y - R),
            (touching.step.mark & WAITS) !== 0 && item.on));
        }
        touching = null;
      }
      if (item.child) {
        const [[x, y]] = ends(item.child);
        out.append(edge(item.step.kind === CALL ? "call" : "spawn", "M" + f(item.x) + " " + f(item.y + R) + "L" + f(x) + " " + f(y), item.child.on && (item.on || !D.jumps)));
      }
      if (item.step.is_strand) last = item;
      if (item.step.kind === TOUCH) touching = item;
      if (item.step.kind === CALL) waiting.push(item);
      else if (item.step.kind === SPAWN) spawned.push(item);
      else if (item.step.kind === SYNC) { waiting = spawned; spawned = []; }
    }
  }
  function caption(b) {
    const many = b.count > 1 ? number(b.count) + " spawns, " + (b.folded ? "the longest of them shown" : "all equal") : "one instance";
    return b.name + ": " + many + "; with all below: " + number(b.instances) + " instances, " + number(b.strands) + " strands, work " + number(b.work) + ", span " + number(b.span) +
      (b.on ? "; on the critical path" : "") + (b.aborted ? "; an abort would end it" : "") + (b.open ? "" : canOpen(b) ? "; click to open" : "; it was too small to be recorded");
  }
  function draw() {
    const order = layout(), parts = document.createDocumentFragment(), marks = [];
    for (const b of order) {
      const g = make("g", { class: canOpen(b) ? "can" : "" }), cls = "box" + (b.open ? "" : " closed") + (b.on ? " on" : "") + (b.aborted ? " ended" : "");
      g.text = [caption(b), b.site];
      g.box = b;
      const rect = by => make("rect", { class: cls, x: f(b.x + by), y: f(b.y + by), width: f(b.width), height: b.height, rx: 11 });
      if (b.count > 1) g.append(rect(4));
      g.append(rect(0));
      const alone = b.open && b.items.filter(i => i.step.is_strand).length === 1;       // the name beside the only strand, or above the others
      if (b.open) g.append(make("text", { x: f(b.x + SLOT / 2 + (alone ? R + 5 : 7)), y: f(b.y + (alone ? TITLE + R + 9 : 13)), "font-weight": 600 }, b.name + (b.count > 1 ? " ×" + short(b.count) : "")));
      else {
        const [one, two] = label(b);
        g.append(make("text", { x: f(b.x + PAD), y: f(b.y + 16), "font-weight": 600 }, one), make("text", { class: "quiet", x: f(b.x + PAD), y: f(b.y + 31), "font-size": 10 }, two));
      }
      parts.append(g);
    }
    for (const b of order) if (b.open) drawEdges(b, parts);
    for (const b of order) if (b.open) for (const item of b.items) {
      if (item.step.times > 1)
        parts.append(make("text", { class: "quiet", x: f(Math.max(item.x - R, b.x + SLOT + BOLD * (b.name.length + 2))), y: f(b.y + 13), "font-size": 10 }, number(item.step.times) + " blocks like this"));
      if (!item.step.is_strand) continue;
      const s = item.step, g = make("g", { class: "note" });
      g.text = [number(s.units) + " instructions" + (s.count > 1 && s.kind < SYNC ? " in " + number(s.count) + " strands" : "") + (item.on ? ", on the critical path" : "") +
        (s.mark & INLET ? ", calls the inlet " + s.inlet : "") + (s.mark & ABORTS ? ", aborts" : "") + (s.kind === TOUCH ? ", then touches a future" + (s.mark & WAITS ? ", for which it waits" : "") : ""), s.site];
      g.append(make("circle", { class: "strand" + (item.on ? " on" : "") + (s.mark & ABORTS ? " aborts" : ""), cx: f(item.x), cy: f(item.y), r: R }),
        make("text", { x: f(item.x), y: f(item.y + 3), "font-size": 9, "text-anchor": "middle" }, short(s.units)));
      parts.append(g);
    }
    content.replaceChildren(parts);
    highlight();
    document.body.dataset.boxes = order.length;
    document.body.dataset.strands = drawn();
  }

  // ---- a line of the source that another page has chosen (see.js): strands and boxes of this line, or else all of the
  // procedure
  let chosen = null;
  const isAt = site => site >= 0 && D.sites[site] && D.sites[site][1] === chosen.line && D.sites[site][0].split("/").pop() === chosen.file.split("/").pop();
  function highlight() {
    if (!chosen) return;
    const all = [...content.querySelectorAll("g")].filter(g => g.text), exact = all.filter(g => isAt(g.text[1]));
    for (const g of exact.length ? exact : all.filter(g => g.box && g.box.name === chosen.procedure)) g.classList.add("picked");
    if (parent !== window) parent.postMessage({ cilk: "count", id: "dag", count: content.querySelectorAll(".picked").length }, "*");
  }
  addEventListener("message", e => {
    if (!e.data || e.data.cilk !== "line") return;
    chosen = e.data;
    for (const g of content.querySelectorAll(".picked")) g.classList.remove("picked");
    highlight();
  });
  function send(g) {
    const site = g && g.text && D.sites[g.text[1]];
    if (site && parent !== window) parent.postMessage({ cilk: "picked", file: site[0], line: site[1] }, "*");
  }

  // ---- moving about
  let scale = 1, left = 20, up = 20;
  function place() { content.setAttribute("transform", "translate(" + left.toFixed(1) + " " + up.toFixed(1) + ") scale(" + scale.toFixed(4) + ")"); }
  function fit(least) {
    const w = $("view").clientWidth, h = $("view").clientHeight;
    scale = Math.min(1.6, Math.max(least || 0.02, Math.min((w - 40) / size[0], (h - 40) / size[1])));
    left = Math.max(20, (w - size[0] * scale) / 2);
    up = 20;
    place();
  }
  function zoom(by, x, y) {
    const to = Math.min(8, Math.max(0.01, scale * by));
    left = x - (x - left) * to / scale;
    up = y - (y - up) * to / scale;
    scale = to;
    place();
  }
  // As many strands as can be read side by side, but no more than `most`.
  function openReadably(most) {
    let kept = [];
    for (let n = Math.min(most, 8);; n = Math.min(most, n + 8)) {
      openMore(n);
      layout();
      if (kept.length && size[0] * READABLE > $("view").clientWidth - 40) break;
      kept = [];
      all(b => { if (b.open) kept.push(b); });
      if (n >= most) return;
    }
    const drop = [];
    all(b => { if (b.open && !kept.includes(b)) drop.push(b); });
    for (const b of drop) b.open = false;
  }
  const middle = by => zoom(by, $("view").clientWidth / 2, $("view").clientHeight / 2);
  function toggle(b) {
    const before = [b.x * scale + left, b.y * scale + up];
    if (b.open) b.open = false; else open(b);
    draw();
    left += before[0] - (b.x * scale + left);       // what was clicked stays where it was
    up += before[1] - (b.y * scale + up);
    place();
  }
  let grabbed = null, moved = false;
  svg.addEventListener("wheel", e => { e.preventDefault(); zoom(Math.exp(-Math.max(-100, Math.min(100, e.deltaY)) / 300), e.offsetX, e.offsetY); }, { passive: false });
  svg.addEventListener("pointerdown", e => { grabbed = [e.clientX, e.clientY, left, up]; moved = false; $("tip").style.display = "none"; });
  addEventListener("pointermove", e => {
    if (!grabbed) return;
    const dx = e.clientX - grabbed[0], dy = e.clientY - grabbed[1];
    moved = moved || Math.abs(dx) + Math.abs(dy) > 4;
    if (moved) { left = grabbed[2] + dx; up = grabbed[3] + dy; place(); }
  });
  addEventListener("pointerup", () => { grabbed = null; });
  svg.addEventListener("click", e => {
    if (!moved) send(e.target.closest("g"));
    const g = e.target.closest("g.can");
    if (g && !moved) toggle(g.box);
  });
  svg.addEventListener("mousemove", e => {
    const g = e.target.closest("g.can, g.note, g"), tip = $("tip"), shown = !grabbed && g && g.text;
    tip.style.display = shown ? "block" : "none";
    if (!shown) return;
    const strong = document.createElement("strong");
    strong.textContent = shown[0];
    tip.replaceChildren(strong);
    if (shown[1] >= 0) {
      const [file, line, , procedure, text] = D.sites[shown[1]];
      tip.append(Object.assign(document.createElement("div"), { textContent: "spawned at " + file + ":" + line + " in " + procedure }));
      const pre = document.createElement("pre");
      for (const [n, t] of text) pre.append(Object.assign(document.createElement(n === line ? "b" : "span"), { textContent: String(n).padStart(5) + "  " + t }), "\n");
      if (text.length) tip.append(pre);
    }
    tip.style.left = Math.max(4, Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top = Math.max(4, e.clientY + 18 + tip.offsetHeight > innerHeight ? e.clientY - tip.offsetHeight - 12 : e.clientY + 18) + "px";
  });
  svg.addEventListener("mouseleave", () => { $("tip").style.display = "none"; });
  $("more").onclick = () => { openMore(Math.min(MOST, 2 * drawn() + 20)); draw(); fit(); };
  $("path").onclick = () => { openPath(); draw(); fit(); };
  $("less").onclick = () => { all(b => { if (b !== root) b.open = false; }); draw(); fit(); };
  $("fit").onclick = () => fit();
  $("in").onclick = () => middle(1.4);
  $("out").onclick = () => middle(1 / 1.4);
  addEventListener("keydown", e => {
    const does = { "+": () => middle(1.4), "=": () => middle(1.4), "-": () => middle(1 / 1.4), "0": () => fit() }[e.key];
    if (does && !e.ctrlKey && !e.metaKey) { does(); e.preventDefault(); }
  });

  document.querySelector("h1").textContent = D.title;
  $("facts").textContent = "work " + number(D.work) + ", span " + number(D.span) + ", parallelism " + number(Math.round(D.work / Math.max(1, D.span) * 10) / 10) + " (in instructions); " + number(D.strands) +
    " strands in " + number(D.instances) + " instances of procedures";
  const notes = [];
  if (D.threshold) notes.push("Too many different parts to record them all: what has less work than " + number(D.threshold) + " instructions is only counted.");
  if (D.left_out) notes.push(number(D.left_out) + " recorded parts are left out to keep the page small.");
  $("notes").textContent = notes.join(" ");
  openReadably(D.most);
  if (location.hash === "#path") openPath();        // after the page's name: as the buttons
  if (location.hash === "#more") openMore(MOST);
  draw();
  fit(0.6);
  document.body.dataset.ready = "yes";
})();
