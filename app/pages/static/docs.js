// Draws the OpenAPI document; nothing is sent anywhere but to this server.
SwaggerUIBundle({ url: "openapi.json", dom_id: "#interface", deepLinking: true, defaultModelsExpandDepth: 0, validatorUrl: null });
