// Draws the OpenAPI document; nothing is sent anywhere but to this server.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

follow();
dark.addEventListener("change", follow);
SwaggerUIBundle({ url: "openapi.json", dom_id: "#interface", deepLinking: true, defaultModelsExpandDepth: 0, validatorUrl: null });
