// The totals of both seats after each round.

/** Draws the chart into its element, in the width that it has; `round` is the one looked at. */
function drawChart(element, totals, players, target, round) {
  const width = element.clientWidth;
  const [left, right, top, bottom] = [34, 96, 12, 206];
  const rounds = totals.length - 1;
  const most = Math.max(target, ...totals.flat());
  const x = (place) => left + ((width - left - right) * place) / Math.max(1, rounds);
  const y = (points) => bottom - ((bottom - top) * points) / most;
  const chart = svg("svg", { role: "img", "aria-label": chartLabel(totals, players) });

  if (round >= 1) {
    const [start, end] = [x(round - 1), x(Math.min(round, rounds))];
    chart.append(svg("rect", { class: "now", x: start, y: top, width: Math.max(0, end - start), height: bottom - top }));
  }
  chart.append(...gridLine("grid", 0), ...gridLine("target", target));
  if (most - target > most * 0.1) chart.append(...gridLine("grid", most));
  const each = Math.ceil(rounds / Math.max(1, Math.floor((width - left - right) / 32)));
  for (let place = 0; place <= rounds; place += each) {
    chart.append(svg("text", { x: x(place), y: bottom + 18, "text-anchor": "middle" }, place === 0 ? "start" : String(place)));
  }
  const ends = [0, 1].map((seat) => y(totals[rounds][seat]));
  if (Math.abs(ends[0] - ends[1]) < 16) ends[ends[0] <= ends[1] ? 0 : 1] -= 16;
  for (const seat of [0, 1]) {
    const line = totals.map((pair, place) => `${place ? "L" : "M"}${x(place)} ${y(pair[seat])}`).join("");
    const group = svg("g", { class: seat === 0 ? "seat-a" : "seat-b" }, svg("path", { d: line }));
    totals.forEach((pair, place) => group.append(point(seat, x(place), y(pair[seat]))));
    const name = players[seat].length > 9 ? `${players[seat].slice(0, 8)}…` : players[seat];
    group.append(svg("text", { class: "end", x: x(rounds) + 10, y: ends[seat] + 4 }, `${name} ${totals[rounds][seat]}`));
    chart.append(group);
  }
  element.replaceChildren(chart);

  function gridLine(kind, points) {
    const line = svg("line", { class: kind, x1: left, x2: width - right, y1: y(points), y2: y(points) });
    return [line, svg("text", { x: left - 8, y: y(points) + 4, "text-anchor": "end" }, String(points))];
  }
}

function point(seat, x, y) {
  if (seat === 0) return svg("circle", { class: "point", cx: x, cy: y, r: 4 });
  return svg("rect", { class: "point", x: x - 3.5, y: y - 3.5, width: 7, height: 7 });
}

function chartLabel(totals, players) {
  const texts = totals.slice(1).map((pair, place) => `round ${place + 1}: ${pair[0]} to ${pair[1]}`);
  return `Points of ${players[0]} and ${players[1]} after each round. ${texts.join(", ")}.`;
}
