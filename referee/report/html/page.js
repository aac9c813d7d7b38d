// Shows one step at a time of the view that was chosen.

const match = JSON.parse(document.getElementById("match").textContent);
const SEATS = ["A", "B"];
const VIEWS = { A: `${match.players[0]} (A)`, B: `${match.players[1]} (B)`, spectator: "spectator", auditor: "all cards" };
const ICONS = {
  first: "M5 5h2v14H5zM19 5v14l-11-7z",
  earlier: "M11 5v14L2 12zM21 5v14l-9-7z",
  previous: "M16 5v14L5 12z",
  play: "M7 4v16l13-8z",
  pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  next: "M8 5v14l11-7z",
  later: "M13 5v14l9-7zM3 5v14l9-7z",
  last: "M17 5h2v14h-2zM5 5v14l11-7z",
};
const at = (id) => document.getElementById(id);

let view = match.views[0];
let steps = [];
let rounds = [];
let place = 0;
let timer = null;

/** Returns an element of HTML with a class and children. */
function html(name, className, ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Takes the steps of a view: each holds what changed since the one before. */
function choose(index) {
  view = match.views[index];
  const sequence = steps[place]?.sequence ?? null;
  let step = {};
  steps = view.steps.map((changes) => (step = { ...step, ...changes }));
  rounds = [];
  steps.forEach((each, index) => {
    if (each.round === 0) return;
    if (rounds.at(-1)?.round !== each.round) rounds.push({ round: each.round, first: index });
    rounds.at(-1).last = index;
  });
  at("place").max = String(steps.length - 1);
  at("log").replaceChildren();
  drawRounds();
  show(Math.max(0, steps.findIndex((each) => sequence !== null && each.sequence === sequence)));
}

/** Goes to a step, as near as there is one. */
function show(index) {
  place = Math.min(Math.max(index, 0), steps.length - 1);
  const step = steps[place];
  const near = view.observer === "B" ? 1 : 0;
  drawSeat(at("near"), step, near);
  drawSeat(at("far"), step, 1 - near);
  drawMiddle(step);
  at("event").replaceChildren(...sentence(step));
  at("place").value = String(place);
  at("place").setAttribute("aria-valuetext", `event ${step.sequence ?? "none"}, round ${step.round}`);
  drawLog(step);
  markRounds(step);
  const totals = [[0, 0], ...steps.filter((each) => each.scored).map((each) => each.totals)];
  at("score").hidden = totals.length === 1;
  if (totals.length > 1) drawChart(at("chart"), totals, match.players, match.target, step.round);
  if (place === steps.length - 1) pause();
}

function sentence(step) {
  const number = html("span", "number", step.sequence === null ? "-" : String(step.sequence));
  return [number, html("span", "text", step.text), html("span", "clause", step.clause)];
}

function drawSeat(element, step, seat) {
  const hand = step.hands[seat];
  const open = step.shown.length && hand.includes(0) ? step.shown : hand;
  const name = element.querySelector(".name");
  name.textContent = `${match.players[seat]} (${SEATS[seat]})`;
  name.className = `name ${seat === 0 ? "seat-a" : "seat-b"}`;
  element.querySelector(".count").textContent = hand.length === 1 ? "1 card" : `${hand.length} cards`;
  element.querySelector(".total").textContent = `${step.totals[seat]} points`;
  element.querySelector(".uno").hidden = !step.uno[seat];
  element.querySelector(".turn").hidden = step.turn !== seat;
  const list = element.querySelector(".hand");
  list.style.setProperty("--cards", String(Math.max(2, open.length)));
  list.setAttribute("aria-label", `Hand of ${match.players[seat]}`);
  list.replaceChildren(...open.map((card) => html("li", "", cardPicture(card))));
}

function drawMiddle(step) {
  at("draw").replaceChildren(...(step.draws > 0 ? [cardPicture(0)] : []));
  at("draws").textContent = `${step.draws} to draw`;
  const first = step.pile.length - step.laid;
  at("pile").replaceChildren(...step.pile.map((card, index) => html("li", index < first ? "before" : "fresh", cardPicture(card))));
  const color = COLORS[step.color ?? 0];
  const swatch = html("span", "swatch");
  swatch.style.background = color ? color.fill : "none";
  const due = html("span", "due", step.due ? ` · ${step.due} due` : "");
  at("color").replaceChildren(...(color ? [swatch, `${color.name.toLowerCase()} in force`, due] : ["discards"]));
  at("offer").hidden = step.offered.length === 0;
  at("offered").replaceChildren(...step.offered.map(cardPicture));
}

/** Lists the events of the round and marks the one that is shown. */
function drawLog(step) {
  const log = at("log");
  const first = steps.findIndex((each) => each.round === step.round);
  if (log.dataset.round !== String(step.round) || !log.childElementCount) {
    log.dataset.round = String(step.round);
    at("log-title").textContent = step.round === 0 ? "Events before round 1" : `Events of round ${step.round}`;
    log.replaceChildren(...steps.filter((each) => each.round === step.round).map((each, index) => logLine(each, first + index)));
  }
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = log.children[place - first].firstElementChild;
  current.setAttribute("aria-current", "step");
  log.scrollTop = current.offsetTop - log.offsetTop - log.clientHeight / 2;
}

function logLine(step, index) {
  const button = html("button", "", ...sentence(step));
  button.type = "button";
  button.tabIndex = -1;
  button.addEventListener("click", () => show(index));
  return html("li", "", button);
}

function drawRounds() {
  at("rounds").replaceChildren(...rounds.map(roundLine));
}

function roundLine(round) {
  const scored = steps.slice(round.first, round.last + 1).findLast((step) => step.scored);
  const totals = scored ? `${scored.totals[0]} to ${scored.totals[1]} points` : "not scored";
  const name = html("button", "round", `Round ${round.round}`, html("small", "", totals));
  name.type = "button";
  name.addEventListener("click", () => show(round.first));
  const mine = view.moments.filter((moment) => moment.step >= round.first && moment.step <= round.last);
  const list = html("ol", "moments", ...mine.map((moment) => html("li", "", momentButton(moment))));
  list.setAttribute("aria-label", `Moments of round ${round.round}`);
  return html("li", "", name, html("div", "", track(round, mine), ...(mine.length ? [list] : [])));
}

function track(round, mine) {
  const x = (step) => (996 * (step - round.first)) / Math.max(1, round.last - round.first);
  const line = svg("svg", { class: "track", viewBox: "0 0 1000 14", preserveAspectRatio: "none", "aria-hidden": "true" });
  line.append(svg("rect", { x: 0, y: 6, width: 1000, height: 2 }));
  for (const moment of mine) {
    line.append(svg("rect", { class: "tick", "data-kind": moment.kind, x: x(moment.step), y: 2, width: 4, height: 10 }));
  }
  line.append(svg("rect", { class: "head", x: 0, y: 0, width: 4, height: 14, visibility: "hidden" }));
  line.addEventListener("click", (event) => {
    const box = line.getBoundingClientRect();
    show(Math.round(round.first + ((round.last - round.first) * (event.clientX - box.left)) / box.width));
  });
  round.move = (step) => {
    line.lastElementChild.setAttribute("x", String(x(step)));
    line.lastElementChild.setAttribute("visibility", step >= round.first && step <= round.last ? "visible" : "hidden");
  };
  return line;
}

function momentButton(moment) {
  const button = html("button", "moment", String(steps[moment.step].sequence));
  button.type = "button";
  button.dataset.kind = moment.kind;
  button.dataset.step = String(moment.step);
  button.title = moment.text;
  button.setAttribute("aria-label", `Event ${steps[moment.step].sequence}: ${moment.text}`);
  button.addEventListener("click", () => show(moment.step));
  return button;
}

function markRounds(step) {
  rounds.forEach((round, index) => {
    round.move(place);
    mark(at("rounds").children[index].querySelector(".round"), round.round === step.round);
  });
  for (const button of at("rounds").querySelectorAll(".moment")) mark(button, button.dataset.step === String(place));
}

function mark(element, current) {
  if (current) element.setAttribute("aria-current", "true");
  else element.removeAttribute("aria-current");
}

function earlier() {
  show(view.moments.findLast((moment) => moment.step < place)?.step ?? 0);
}

function later() {
  show(view.moments.find((moment) => moment.step > place)?.step ?? steps.length - 1);
}

function play() {
  if (place === steps.length - 1) show(0);
  // Read aloud, a match that plays by itself would never stop talking.
  at("event").setAttribute("aria-live", "off");
  timer = setInterval(() => show(place + 1), Number(at("pace").value));
  drawPlay("pause", "Pause");
}

function pause() {
  clearInterval(timer);
  timer = null;
  at("event").setAttribute("aria-live", "polite");
  drawPlay("play", "Play");
}

function toggle() {
  if (timer === null) play();
  else pause();
}

function drawPlay(icon, label) {
  at("play").replaceChildren(iconPicture(icon));
  at("play").setAttribute("aria-label", label);
}

function iconPicture(name) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("select")) return;
  const keys = {
    ArrowLeft: () => (event.shiftKey ? earlier() : show(place - 1)),
    ArrowRight: () => (event.shiftKey ? later() : show(place + 1)),
    Home: () => show(0),
    End: () => show(steps.length - 1),
  };
  if (event.key === " " && !event.target.closest("button")) keys[" "] = toggle;
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
}

function start() {
  document.body.append(svg("svg", { id: "faces-holder", width: 0, height: 0, "aria-hidden": "true" }, svg("defs", { id: "faces" })));
  const actions = { first: () => show(0), earlier, previous: () => show(place - 1), play: toggle };
  Object.assign(actions, { next: () => show(place + 1), later, last: () => show(steps.length - 1) });
  for (const [id, action] of Object.entries(actions)) {
    at(id).replaceChildren(iconPicture(id));
    at(id).addEventListener("click", action);
  }
  at("view").append(...match.views.map((each, index) => new Option(VIEWS[each.observer], String(index))));
  at("view").disabled = match.views.length === 1;
  at("view").addEventListener("change", () => choose(Number(at("view").value)));
  at("place").addEventListener("input", () => show(Number(at("place").value)));
  at("pace").addEventListener("change", () => {
    if (timer !== null) {
      pause();
      play();
    }
  });
  document.addEventListener("keydown", onKey);
  window.addEventListener("resize", () => show(place));
  choose(0);
  const asked = steps.findIndex((step) => step.sequence !== null && `#${step.sequence}` === location.hash);
  if (asked > 0) show(asked);
}

start();
