/** A readings file as `shelfleet probe` writes it. */
export interface ReadingsFile<Readings> {
  readonly version: 1;
  readonly readings: Readings;
}
