"use strict";
const game = JSON.parse(document.getElementById("game").textContent);
const moments = game.moments;
const slider = document.getElementById("slider");
let at = 0;

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function disc(colour, className) {
  const made = element("span", undefined, className);
  made.style.background = game.colours[colour];
  made.title = colour;
  return made;
}

function showBoard(moment) {
  const squares = [];
  for (let rank = 8; rank >= 1; rank--) {
    for (let file = 0; file < 8; file++) {
      const name = "abcdefgh"[file] + rank;
      const square = element("div", undefined, "square");
      if ((file + rank) % 2 === 1) square.classList.add("dark");
      if (moment.wrong.includes(name)) square.classList.add("wrong");
      square.append(element("small", name));
      for (const colour of moment.squares[name] || []) square.append(disc(colour, "checker"));
      squares.push(square);
    }
  }
  document.getElementById("board").replaceChildren(...squares);
}

function showPlayers(moment) {
  const rows = moment.players.map((player) => {
    const row = element("tr", undefined, player.to_move || player.won ? "turn" : "");
    const name = element("td");
    name.append(disc(player.colour, "disc"), " " + player.name + (player.won ? " ★" : ""));
    const die = player.to_move && moment.die ? "⚀⚁⚂⚃⚄⚅"[moment.die - 1] + " " + moment.die : "";
    row.append(name, element("td", die), element("td", String(-player.paid)));
    return row;
  });
  document.getElementById("players").replaceChildren(...rows);
  document.getElementById("bank").textContent = "⛁ " + moment.bank;
}

function show(number) {
  at = Math.max(0, Math.min(moments.length - 1, number));
  const moment = moments[at];
  slider.value = at;
  showBoard(moment);
  showPlayers(moment);
  document.getElementById("when").textContent = moment.number + " · " + moment.at;
  const told = moment.told.map((text) => element("p", text));
  document.getElementById("told").replaceChildren(...told);
  const pictures = moment.pictures.map((url) => {
    const picture = element("img");
    picture.src = url;
    return picture;
  });
  document.getElementById("pictures").replaceChildren(...pictures);
}

function seek(flag, step) {
  for (let next = at + step; next >= 0 && next < moments.length; next += step) {
    if (moments[next][flag]) return show(next);
  }
}

const ways = {
  first: () => show(0),
  last: () => show(moments.length - 1),
  back: () => show(at - 1),
  next: () => show(at + 1),
  knockOut: () => seek("knock_out", 1),
  knockOutBack: () => seek("knock_out", -1),
  refused: () => seek("refused", 1),
  refusedBack: () => seek("refused", -1),
};
const keys = {
  ArrowLeft: "back", ArrowRight: "next", " ": "next", Home: "first", End: "last",
  k: "knockOut", K: "knockOutBack", r: "refused", R: "refusedBack",
};

slider.max = moments.length - 1;
slider.addEventListener("input", () => show(Number(slider.value)));
for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", () => ways[button.dataset.go]());
}
document.addEventListener("keydown", (event) => {
  const way = keys[event.key];
  if (way && event.target !== slider) {
    event.preventDefault();
    ways[way]();
  }
});
show(0);
