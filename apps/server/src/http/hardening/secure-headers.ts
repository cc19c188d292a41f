import type { RequestHandler } from "express";
import helmet from "helmet";

/** Responses of the API are data: no page may frame, execute or cache them. The reference page relaxes this for itself. */
export const secureHeaders = (): RequestHandler[] => [
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // For browsers that do not know `frame-ancestors`.
    xFrameOptions: { action: "deny" },
  }),
  (_request, response, next) => {
    response.setHeader("Cache-Control", "no-store");
    next();
  },
];
