"use strict";
(() => {
  const get = (id) => document.getElementById(id);
  const items = [...document.querySelectorAll(".item")];
  const refused = document.querySelector(".problem");
  if (refused) refused.focus();

  const move = (step) => {
    if (!items.length) {
      const link = get(step > 0 ? "next" : "previous");
      if (link) link.click();
      return;
    }
    const at = items.indexOf(document.activeElement);
    items[Math.min(items.length - 1, Math.max(0, at + step))].focus();
  };
  const focus = (id) => {
    const wanted = get(id);
    if (wanted) wanted.focus();
  };
  const actions = {
    j: () => move(1),
    k: () => move(-1),
    q: () => get("to-queue").click(),
    a: () => focus(get("by") && !get("by").value ? "by" : "approve"),
    e: () => focus("edit"),
    r: () => focus("reject"),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    const inField = event.target.matches("input, textarea");
    if (event.key === "Escape" && inField) event.target.blur();
    if (inField || !Object.hasOwn(actions, event.key)) return;
    event.preventDefault();
    actions[event.key]();
  });
})();
