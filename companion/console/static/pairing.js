// Lets this device in with the code that the terminal shows.

import { html, useEffect, useState } from "./preact.js";
import { connect, post, visitor } from "./connection.js";
import { t } from "./words.js";

export function Pairing() {
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");

  async function pair(given) {
    const found = await post("/api/pair", { code: given });
    if (found.refused) {
      setWrong(found.refused);
      return;
    }
    await visitor();
    connect();
  }

  useEffect(() => {
    // A link may bring the code behind the #, which is sent to nobody.
    const [, given] = location.hash.match(/^#code=(\d+)$/) ?? [];
    if (given) {
      history.replaceState(null, "", "/");
      pair(given);
    }
  }, []);

  return html`
    <main class="pairing">
      <h1>Pachisi</h1>
      <form
        onSubmit=${(event) => {
          event.preventDefault();
          pair(code);
        }}
      >
        <label for="code">${t("type-code")}</label>
        <input
          id="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          maxlength="12"
          required
          value=${code}
          aria-describedby="wrong"
          onInput=${(event) => setCode(event.target.value)}
        />
        <button class="primary">${t("pair")}</button>
        <p id="wrong" role="alert">${wrong}</p>
      </form>
      <p>${t("code-where")}</p>
    </main>
  `;
}
