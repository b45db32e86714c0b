"use strict";
// The Studio's own script: keys, the live news, the graph of people, the plots, what opens later, the slider in time.
(() => {
  // Times are written where the reader is: the server learns the zone once, and the page is asked for again.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && zone !== document.documentElement.dataset.zone && !document.cookie.includes(`wellkept_zone=${zone}`)) {
    document.cookie = `wellkept_zone=${zone}; path=/; max-age=31536000; samesite=strict`;
    if (document.cookie.includes("wellkept_zone=")) location.reload();
  }

  // `/` and Ctrl-K lead to the search from everywhere but a field one is writing in.
  addEventListener("keydown", (event) => {
    const isWriting = event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
    const isSlash = event.key === "/" && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isCommand = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    const field = document.getElementById("find");
    if (!field || !(isSlash || isCommand)) return;
    event.preventDefault();
    field.focus();
    field.select();
  });

  const live = document.getElementById("live");
  if (live) {
    const said = document.getElementById("live-text");
    const source = new EventSource(live.dataset.stream);
    const rows = (body) => [...body.querySelectorAll("[data-id]")];
    const known = new Set(rows(document.getElementById("events")).map((row) => row.dataset.id));
    const fresh = new Set();
    let count = 0;
    let isWaiting = false;

    // The server renders every row, old or new: the page is asked for again, and what was not there is marked.
    const look = async () => {
      isWaiting = false;
      const answer = await fetch(location.href);
      if (!answer.ok) return;
      const fetched = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = fetched.getElementById("events");
      const today = fetched.querySelector(".today");
      if (today) document.querySelector(".today")?.replaceWith(document.adoptNode(today));
      const body = document.getElementById("events");
      const focused = body.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      rows(found).filter((row) => !known.has(row.dataset.id)).forEach((row) => fresh.add(row.dataset.id));
      rows(found).filter((row) => fresh.has(row.dataset.id)).forEach((row) => row.classList.add("fresh"));
      body.replaceWith(document.adoptNode(found));
      if (focused) [...found.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    };

    source.onopen = () => { live.classList.add("on"); said.textContent = "live: what happens now appears by itself"; };
    source.onerror = () => { live.classList.remove("on"); said.textContent = "not connected, trying again"; };
    source.addEventListener("ledger", () => {
      count += 1;
      said.textContent = `live, ${count} new`;
      if (live.dataset.isPast || isWaiting) return;
      isWaiting = true;
      setTimeout(look, 120);
    });
    addEventListener("pagehide", () => source.close());
  }

  // The colour that a name of the style sheet stands for now, light or dark.
  const style = (name) => {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.color = `var(${name})`;
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };
  const ink = () => getComputedStyle(document.body).color;

  const graph = document.getElementById("graph");
  if (graph && window.cytoscape) {
    fetch(graph.dataset.graph).then((answer) => answer.json()).then((elements) => {
      const drawn = window.cytoscape({
        container: graph,
        elements,
        layout: { name: "concentric", concentric: (node) => (node.data("kind") === "you" ? 2 : 1), levelWidth: () => 1, minNodeSpacing: 70, padding: 34 },
        userZoomingEnabled: false,
        maxZoom: 1.3,
        style: [
          { selector: "node", style: { label: "data(label)", color: ink(), "background-color": "#2a9db0", "font-size": 13, "font-weight": 600, "text-valign": "bottom", "text-margin-y": 5, width: 30, height: 30 } },
          { selector: "node[kind = 'you']", style: { "background-color": "#e8590c", width: 40, height: 40 } },
          { selector: "node:selected", style: { "border-width": 3, "border-color": ink() } },
          { selector: "edge[kind = 'beside']", style: { "line-style": "dashed" } },
          { selector: "edge", style: { label: "data(label)", color: ink(), "font-size": 11, width: 1.5, "line-color": "#8a97a5", "curve-style": "bezier", "text-background-opacity": 1, "text-background-color": style("--paper"), "text-background-padding": 3 } },
        ],
      });
      // A click shows who is spoken of together with somebody, and leads to their page.
      const said = document.getElementById("graph-said");
      drawn.on("tap", "node[kind != 'you']", async (event) => {
        const node = event.target;
        const address = new URL(graph.dataset.graph, location.href);
        const link = document.createElement("a");
        link.href = `/people/${encodeURIComponent(node.id())}?${address.searchParams}`;
        link.textContent = `Open ${node.data("label")}`;
        address.searchParams.set("around", node.id());
        const answer = await fetch(address);
        const more = answer.ok ? await answer.json() : [];
        const fresh = more.filter((one) => drawn.getElementById(one.data.id).empty());
        drawn.add(fresh);
        said.replaceChildren(link, more.length ? ` \u00b7 spoken of together with ${more.length} other${more.length === 1 ? "" : "s"}` : " \u00b7 spoken of with nobody else");
        graph.dataset.chosen = node.id();
      });
      graph.drawn = drawn;
      graph.dataset.drawn = "yes";
    });
  }

  // A plot as wide as its place, also after the window has changed.
  const draw = (place, options, data) => {
    // Days and hours in the order that sorts: 2026-11-18, 16:07.
    const two = (number) => String(number).padStart(2, "0");
    const stamp = (seconds, isFine) => {
      const at = new Date(seconds * 1000);
      if (isFine) return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
      return at.getHours() || at.getMinutes() ? `${two(at.getHours())}:${two(at.getMinutes())}` : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
    };
    const axis = { stroke: ink(), grid: { stroke: "#86868633", width: 1 }, ticks: { stroke: "#86868633", width: 1 }, font: "12px system-ui", size: 52 };
    const plot = new window.uPlot({
      width: place.clientWidth, height: 220, legend: { show: false }, cursor: { show: false }, padding: [null, 40, null, null],
      axes: [{ ...axis, size: 50, space: 90, values: (_plot, ticks) => ticks.map((at) => stamp(at, ticks[1] - ticks[0] < 60)) }, axis], ...options,
    }, data, place);
    addEventListener("resize", () => plot.setSize({ width: place.clientWidth, height: 220 }));
    place.dataset.drawn = "yes";
  };
  const from0 = { range: (_plot, _low, high) => [0, Math.max(high * 1.1, 1)] };

  const growth = document.getElementById("growth");
  if (growth && window.uPlot) {
    fetch(growth.dataset.growth).then((answer) => answer.json()).then((days) => {
      if (!days.length) { growth.classList.remove("plot"); growth.textContent = "Nothing was remembered yet."; return; }
      const x = days.map((day) => Date.parse(day[0]) / 1000);
      const around = Math.max(3 * 86400, (x[x.length - 1] - x[0]) * 0.04);
      const colour = style("--pico-primary-background");
      draw(growth, {
        series: [{}, { stroke: colour, fill: colour, width: 0, points: { show: false }, paths: window.uPlot.paths.bars({ size: [0.7, 46], radius: 0.1 }) }],
        scales: { x: { range: () => [x[0] - around, x[x.length - 1] + around] }, y: from0 },
      }, [x, days.map((day) => day[1])]);
      document.getElementById("growth-table").textContent = `Made a day: ${days.slice(-7).map((day) => `${day[0]}: ${day[1].toLocaleString("en")}`).join("  \u00b7  ")}`;
    });
  }

  const latency = document.getElementById("latency");
  if (latency && window.uPlot) {
    fetch(latency.dataset.latency).then((answer) => answer.json()).then((points) => {
      if (points.length < 2) { latency.classList.remove("plot"); latency.textContent = "A curve needs more calls."; return; }
      draw(latency, {
        series: [{}, { stroke: style("--pico-primary-background"), width: 2, points: { show: false } }, { stroke: "#e8590c", width: 2, points: { show: false } }],
        scales: { y: from0 },
      }, [0, 1, 2].map((column) => points.map((point) => point[column])));
    });
  }

  // What is long is fetched when it is opened: the page that the link leads to, without its frame.
  document.addEventListener("toggle", async (event) => {
    const link = event.target.open && event.target.querySelector(":scope > .later > a");
    if (!link) return;
    const answer = await fetch(link.href);
    const told = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("told");
    if (!told) return;
    told.removeAttribute("id");
    told.querySelector("#plain")?.removeAttribute("id");
    link.parentNode.replaceWith(document.adoptNode(told));
  }, true);

  // On a phone the menu is wider than the screen.
  document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // One box for all boxes of a name in its form.
  document.addEventListener("change", (event) => {
    const name = event.target.dataset?.all;
    if (name) event.target.form.querySelectorAll(`input[name="${name}"]`).forEach((one) => { one.checked = event.target.checked; });
  });

  const slider = document.getElementById("as-of-slider");
  if (slider) {
    const date = slider.form.elements.as_of;
    const say = (days, day) => { document.getElementById("as-of-said").textContent = days ? `${days} days ago` : "today"; date.value = day; };
    if (date.value) {
      const days = Math.max(0, Math.round((Date.now() - Date.parse(date.value)) / 86400000));
      slider.value = String(Math.min(days, 365));
      say(days, date.value);
    }
    slider.addEventListener("input", () => {
      const days = Number(slider.value);
      say(days, days ? new Date(Date.now() - days * 86400000).toISOString().slice(0, 10) : "");
    });
    slider.addEventListener("change", () => slider.form.requestSubmit());
  }
})();
