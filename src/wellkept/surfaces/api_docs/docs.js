// Draws the description of the API. Calls made from the page use the key that the browser was signed in with.
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true, validatorUrl: null, defaultModelsExpandDepth: 0 });
