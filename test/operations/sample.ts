type Path<Op> = Op extends { parameters: { path: infer P } } ? { path: P } : { path?: undefined };

type Query<Op> = Op extends { parameters: { query: infer Q } }
  ? { query: Q }
  : Op extends { parameters: { query?: infer Q } }
    ? { query?: Q }
    : { query?: undefined };

type Body<Op> = Op extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : { body?: undefined };

/** A request of one operation, typed by its document: required input is required here. */
export type SampleOf<Op> = Path<Op> & Query<Op> & Body<Op>;

/** A request of any operation. */
export interface Sample {
  path?: object | undefined;
  query?: object | undefined;
  body?: unknown;
}
