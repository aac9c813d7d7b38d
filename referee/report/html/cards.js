"use strict";

// Cards by their numbers on the wire: 1 + 13 * (color - 1) + symbol, 53 Wild, 54 Wild Draw Four; 0 is a hidden card.

const COLORS = [
  null,
  { name: "Red", fill: "#d2352c", ink: "#d2352c" },
  { name: "Yellow", fill: "#f0b323", ink: "#a87400" },
  { name: "Green", fill: "#2e9b4f", ink: "#24803f" },
  { name: "Blue", fill: "#2467c4", ink: "#2467c4" },
];
const WILD = 53;
const WILD_DRAW_FOUR = 54;
const SYMBOLS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "Skip", "Reverse", "Draw Two"];
const SVG = "http://www.w3.org/2000/svg";

/** Returns an element of SVG with these attributes and children. */
function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function colorOf(card) {
  return card >= WILD ? 0 : 1 + Math.floor((card - 1) / 13);
}

function nameOf(card) {
  if (card === 0) return "face down";
  if (card === WILD) return "Wild";
  if (card === WILD_DRAW_FOUR) return "Wild Draw Four";
  return `${COLORS[colorOf(card)].name} ${SYMBOLS[(card - 1) % 13]}`;
}

/** Returns a picture of a card; each face is drawn once and then used. */
function cardPicture(card) {
  const id = `card-${card}`;
  if (!document.getElementById(id)) {
    document.getElementById("faces").append(svg("g", { id }, ...face(card)));
  }
  const picture = svg("svg", { class: "card", viewBox: "0 0 60 90" }, svg("use", { href: `#${id}` }));
  if (card === 0) picture.setAttribute("aria-hidden", "true");
  else {
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", nameOf(card));
    picture.prepend(svg("title", {}, nameOf(card)));
  }
  return picture;
}

function face(card) {
  if (card === 0) return back();
  const color = COLORS[colorOf(card)];
  const label = card === WILD ? "" : card === WILD_DRAW_FOUR ? "+4" : symbolOf(card);
  const parts = [
    svg("rect", { x: 0.4, y: 0.4, width: 59.2, height: 89.2, rx: 7, fill: "#fdfdfb", stroke: "#0004", "stroke-width": 0.8 }),
    svg("rect", { x: 3.5, y: 3.5, width: 53, height: 83, rx: 5, fill: color ? color.fill : "#24262c" }),
  ];
  parts.push(...(color ? [oval("#fdfdfb")] : quarters()));
  if (color || label) parts.push(...drawn(label, 30, 45, label.startsWith("+") ? 22 : 27, color ? color.ink : "#fdfdfb"));
  for (const turn of [0, 180]) {
    const sign = drawn(label || "W", 12, 13.5, label.startsWith("+") ? 10 : 11, "#fdfdfb");
    parts.push(svg("g", { transform: `rotate(${turn} 30 45)` }, ...sign));
  }
  if (color) parts.push(shape(colorOf(card), 48.5, 13.5), shape(colorOf(card), 11.5, 76.5));
  return parts;
}

function back() {
  return [
    svg("rect", { x: 0.4, y: 0.4, width: 59.2, height: 89.2, rx: 7, fill: "#fdfdfb", stroke: "#0004", "stroke-width": 0.8 }),
    svg("rect", { x: 3.5, y: 3.5, width: 53, height: 83, rx: 5, fill: "#3a4152" }),
    svg("rect", { x: 8, y: 8, width: 44, height: 74, rx: 3, fill: "none", stroke: "#7d879c", "stroke-width": 1 }),
    svg("circle", { cx: 25, cy: 45, r: 11, fill: "none", stroke: "#c9d0de", "stroke-width": 2.5 }),
    svg("circle", { cx: 35, cy: 45, r: 11, fill: "none", stroke: "#c9d0de", "stroke-width": 2.5 }),
  ];
}

function oval(fill) {
  return svg("ellipse", { cx: 30, cy: 45, rx: 20, ry: 32, transform: "rotate(24 30 45)", fill });
}

/** Returns the oval of a wild card, a quarter of each color. */
function quarters() {
  const arcs = ["M30 45V13A20 32 0 0 0 10 45Z", "M30 45V13A20 32 0 0 1 50 45Z", "M30 45V77A20 32 0 0 1 10 45Z", "M30 45V77A20 32 0 0 0 50 45Z"];
  const paths = arcs.map((d, place) => svg("path", { d, fill: COLORS[[1, 4, 2, 3][place]].fill }));
  return [svg("g", { transform: "rotate(24 30 45)" }, ...paths)];
}

function symbolOf(card) {
  const symbol = (card - 1) % 13;
  return symbol === 10 ? "skip" : symbol === 11 ? "reverse" : symbol === 12 ? "+2" : String(symbol);
}

/** Returns a symbol drawn around a point, `size` being the height of its letters. */
function drawn(symbol, x, y, size, fill) {
  const place = `translate(${x} ${y}) scale(${size / 30})`;
  if (symbol === "skip") {
    const ring = { cx: 0, cy: 0, r: 13, fill: "none", stroke: fill, "stroke-width": 5 };
    return [svg("g", { transform: place }, svg("circle", ring), svg("path", { d: "M-9 9L9 -9", stroke: fill, "stroke-width": 5 }))];
  }
  if (symbol === "reverse") {
    const arrow = "M-15 2V-3Q-15 -11 -7 -11H3V-17L16 -7.5L3 2V-4H-6Q-8 -4 -8 -2V2Z";
    const arrows = [0, 180].map((turn) => svg("path", { d: arrow, fill, transform: `rotate(${turn}) translate(0 -2.5)` }));
    return [svg("g", { transform: `${place} rotate(-24)` }, ...arrows)];
  }
  const text = { x, y: y + size * 0.36, "font-size": size, "font-weight": 800, "text-anchor": "middle", fill };
  if (fill === "#fdfdfb" && size > 20) Object.assign(text, { stroke: "#24262c", "stroke-width": 4, "paint-order": "stroke" });
  const parts = [svg("text", text, symbol)];
  if (symbol === "6" || symbol === "9") {
    parts.push(svg("rect", { x: x - size * 0.27, y: y + size * 0.45, width: size * 0.54, height: size * 0.08, fill }));
  }
  return parts;
}

/** Returns the small sign of a color, for those who do not tell colors apart. */
function shape(color, x, y) {
  const outline = ["", "M0 -4L4 0L0 4L-4 0Z", "M0 -4L4 3.5H-4Z", "M-3.5 -3.5H3.5V3.5H-3.5Z", "M-3.5 0A3.5 3.5 0 1 0 3.5 0A3.5 3.5 0 1 0 -3.5 0Z"][color];
  return svg("path", { d: outline, fill: "#fdfdfb", transform: `translate(${x} ${y})` });
}
