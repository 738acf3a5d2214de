/** Where the control API begins, at the root of the server. */
export const CONTROL_PATH = "/__ref";

/** The path that responds with 200 without a token, for scripts that wait for the server. */
export const HEALTH_PATH = `${CONTROL_PATH}/health`;
