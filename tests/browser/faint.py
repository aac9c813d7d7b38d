"""Looks for texts that are hard to read."""

# Elements of a short text whose color stands out less from what is behind it than WCAG AA asks for.
FAINT = """
const light = (color) => {
  const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
  const linear = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    if (!color.startsWith("rgba(0, 0, 0, 0")) return color;
  }
};
const own = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
const shown = [...document.body.querySelectorAll("*")].filter((element) => own(element) && element.checkVisibility());
return shown.filter((element) => !element.closest("svg.card, #faces, script")).map((element) => {
  const style = getComputedStyle(element);
  const ink = element.closest("svg") ? style.fill : style.color;
  const [one, other] = [light(ink), light(behind(element))].sort((a, b) => b - a);
  return [(one + 0.05) / (other + 0.05), element.outerHTML];
}).filter(([ratio]) => ratio < 4.5);
"""
