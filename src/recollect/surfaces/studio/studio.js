"use strict";
// The Studio's own script: the live timeline, the graph of people, the plot of growth, the slider in time.
(() => {
  const cell = (row, text, link) => {
    const made = document.createElement("td");
    if (link) {
      const anchor = document.createElement("a");
      anchor.href = link;
      anchor.textContent = text;
      made.append(anchor);
    } else {
      made.textContent = text;
    }
    row.append(made);
  };

  const visible = (text) =>
    String(text ?? "").replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, (sign) =>
      `\u27e8U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`);

  const place = (event) => {
    const query = new URLSearchParams();
    if (event.space === "user") query.set("user", event.owner);
    if (event.space === "chat") { query.set("chat", event.owner); query.set("chat_type", "group"); query.set("user", event.user_id ?? ""); }
    return `/memories/${encodeURIComponent(event.memory_id)}?${query}`;
  };

  const live = document.getElementById("live");
  if (live) {
    const said = document.getElementById("live-text");
    const source = new EventSource(live.dataset.stream);
    let count = 0;
    source.onopen = () => { live.classList.add("on"); said.textContent = "live"; };
    source.onerror = () => { live.classList.remove("on"); said.textContent = "not connected, trying again"; };
    source.addEventListener("ledger", (message) => {
      const event = JSON.parse(message.data);
      const row = document.createElement("tr");
      row.className = "fresh";
      cell(row, event.ts.slice(0, 19).replace("T", " "));
      cell(row, event.node);
      cell(row, event.op);
      cell(row, event.status);
      cell(row, visible(event.user_id ?? "\u2013"));
      cell(row, visible(`${event.space} ${event.owner}`));
      cell(row, event.memory_id ? event.memory_id.slice(0, 10) : "", event.memory_id ? place(event) : null);
      cell(row, visible(event.reason));
      const body = document.getElementById("events");
      body.querySelector("tr.none")?.remove();
      body.prepend(row);
      count += 1;
      said.textContent = `live, ${count} new`;
    });
    addEventListener("pagehide", () => source.close());
  }

  const ink = () => getComputedStyle(document.body).color;
  const paper = () => getComputedStyle(document.documentElement).backgroundColor;

  const graph = document.getElementById("graph");
  if (graph && window.cytoscape) {
    fetch(graph.dataset.graph).then((answer) => answer.json()).then((elements) => {
      window.cytoscape({
        container: graph,
        elements,
        layout: { name: "concentric", concentric: (node) => (node.data("kind") === "you" ? 2 : 1), levelWidth: () => 1, minNodeSpacing: 90 },
        userZoomingEnabled: false,
        style: [
          { selector: "node", style: { label: "data(label)", color: ink(), "background-color": "#1098ad", "font-size": 13, "text-valign": "top", "text-margin-y": -4, width: 26, height: 26 } },
          { selector: "node[kind = 'you']", style: { "background-color": "#e8590c", width: 34, height: 34 } },
          { selector: "edge", style: { label: "data(label)", color: ink(), "font-size": 11, width: 1.5, "line-color": "#868e96", "curve-style": "bezier", "text-background-opacity": 0.85, "text-background-color": paper(), "text-background-padding": 2 } },
        ],
      });
      graph.dataset.drawn = "yes";
    });
  }

  const growth = document.getElementById("growth");
  if (growth && window.uPlot) {
    fetch(growth.dataset.growth).then((answer) => answer.json()).then((days) => {
      if (!days.length) { growth.textContent = "Nothing yet."; return; }
      const data = [days.map((day) => Date.parse(day[0]) / 1000), days.map((day) => day[1])];
      const axis = { stroke: ink(), grid: { stroke: "#86868644" } };
      new window.uPlot({
        width: growth.clientWidth, height: 220,
        series: [{ label: "day" }, { label: "memories made", stroke: "#1098ad", fill: "#1098ad33", width: 2, paths: window.uPlot.paths.bars({ size: [0.6, 60] }) }],
        axes: [axis, axis], scales: { x: { range: (_plot, low, high) => [low - 86400, high + 86400] }, y: { range: (_plot, _low, high) => [0, Math.max(high, 1)] } }, legend: { show: false },
      }, data, growth);
      growth.dataset.drawn = "yes";
      document.getElementById("growth-table").textContent = days.slice(-7).map((day) => `${day[0]}: ${day[1]}`).join("  \u00b7  ");
    });
  }

  const slider = document.getElementById("as-of-slider");
  if (slider) {
    const date = slider.form.elements.as_of;
    slider.addEventListener("input", () => {
      const days = Number(slider.value);
      const day = new Date(Date.now() - days * 86400000).toISOString().slice(0, 10);
      date.value = days ? day : "";
      document.getElementById("as-of-said").textContent = days ? `${days} days ago, ${day}` : "today";
    });
    slider.addEventListener("change", () => slider.form.requestSubmit());
  }
})();
