/** A resource that can be freed. A second call does nothing. */
export interface Disposable {
  dispose(): void;
}
