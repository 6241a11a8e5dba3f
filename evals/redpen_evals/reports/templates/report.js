"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const list = byId("rows");
  const rows = [...list.querySelectorAll(":scope > details")];

  // Details that travel compressed: each pack is opened once, its fragments wait for their rows.
  const packs = new Map();
  const unpack = async (number) => {
    const packed = atob(byId(`pack-${number}`).textContent);
    const bytes = Uint8Array.from(packed, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const holder = document.createElement("template");
    holder.innerHTML = await new Response(stream).text();
    return [...holder.content.children];
  };
  const fill = async (row) => {
    const place = row.dataset.pack;
    if (place === undefined) return;
    delete row.dataset.pack;
    const [pack, at] = place.split(":").map(Number);
    const body = row.querySelector(":scope > .body");
    try {
      if (!packs.has(pack)) packs.set(pack, unpack(pack));
      const fragment = (await packs.get(pack))[at];
      showButtons(fragment);
      body.replaceWith(fragment);
    } catch {
      body.textContent = "This browser cannot unpack it; write a report of fewer runs.";
    }
  };
  list.addEventListener("toggle", (event) => { if (event.target.open) fill(event.target); }, true);

  // #scenario and #scenario:variant~sample open what they name.
  const open = async () => {
    let name = location.hash.slice(1);
    try { name = decodeURIComponent(name); } catch { /* as it stands */ }
    if (!name) return;
    const row = byId(name.split(":")[0]);
    if (!row?.classList.contains("row")) return;
    if (row.hidden) clear();
    await fill(row);
    const target = byId(name) ?? row;
    for (let one = target; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    target.scrollIntoView({ block: "start" });
    (target.querySelector("summary") ?? target).focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);
  // Not before the browser itself has gone to the fragment, which takes the focus away.
  addEventListener("load", open);

  // The filter.
  const form = byId("filter");
  const find = byId("find");
  const choices = ["outcome", "agent", "tag", "kind"].map((name) => [name, byId(`by-${name}`)]);
  const fits = {
    outcome: (row, value) => row.dataset.outcome.split(" ").includes(value),
    agent: (row, value) => row.dataset.agent === value,
    tag: (row, value) => (row.dataset.tags ?? "").split("\n").includes(value),
    kind: (row, value) => (row.dataset.kind ?? "").split(" ").includes(value),
  };
  // Words in texts that still are packed: every pack is read once, as text alone.
  const inTexts = byId("in-texts");
  const whole = new Map();
  const readAll = async () => {
    const waiting = new Map();
    for (const row of rows) {
      if (whole.has(row)) continue;
      if (row.dataset.pack === undefined) { whole.set(row, row.textContent.toLowerCase()); continue; }
      const [pack, at] = row.dataset.pack.split(":").map(Number);
      if (!waiting.has(pack)) waiting.set(pack, []);
      waiting.get(pack).push([row, at]);
    }
    for (const [pack, places] of waiting) {
      // A pack that is open has given fragments away, so it is opened again.
      const fragments = await unpack(pack);
      for (const [row, at] of places) {
        const name = row.querySelector("summary").textContent;
        whole.set(row, `${name}\n${fragments[at].textContent}`.toLowerCase());
      }
    }
  };
  const texts = new Map();
  const textOf = (row) => {
    if (!texts.has(row)) {
      texts.set(row, `${row.querySelector(".name").textContent}\n${row.dataset.tags ?? ""}`.toLowerCase());
    }
    return texts.get(row);
  };
  const apply = async () => {
    if (inTexts.checked && find.value.trim() && whole.size < rows.length) {
      byId("shown").textContent = "…";
      await readAll();
    }
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = choices.filter(([, select]) => select?.value);
    let shown = 0;
    for (const row of rows) {
      const keep = chosen.every(([name, select]) => fits[name](row, select.value))
        && (!words.length || words.every((word) => (inTexts.checked ? whole.get(row) : textOf(row)).includes(word)));
      if (row.hidden === keep) row.hidden = !keep;
      shown += keep;
    }
    let heading = null;
    for (const child of list.children) {
      if (child.classList.contains("agent")) { heading = child; heading.hidden = true; }
      else if (heading && !child.hidden) heading.hidden = false;
    }
    byId("shown").textContent = shown.toLocaleString("en");
    byId("nothing").hidden = shown > 0 || !rows.length;
  };
  const clear = () => { form.reset(); apply(); };
  form.hidden = !rows.length;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  byId("clear").addEventListener("click", () => { clear(); find.focus(); });

  // Commands can be copied.
  const showButtons = (part) => { for (const button of part.querySelectorAll(".copy")) button.hidden = false; };
  showButtons(document);
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.(".copy");
    if (!button) return;
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });
})();
