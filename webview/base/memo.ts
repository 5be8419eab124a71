/** Components that render again only when a prop has another identity. The memo of `preact/compat` would bring all of compat. */
import { Component, h } from 'preact';
import type { ComponentType, FunctionComponent } from 'preact';
import { useReducer } from 'preact/hooks';

export function memo<P extends object>(Inner: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Record<string, unknown>;
      const after = next as Record<string, unknown>;
      for (const key in after) {
        if (after[key] !== before[key]) {
          return true;
        }
      }
      for (const key in before) {
        if (!(key in after)) {
          return true;
        }
      }
      return false;
    }

    override render() {
      return h(Inner, this.props as P & { children?: never });
    }
  };
}

/** Returns a function that renders the component again. */
export function useForceUpdate(): () => void {
  return useReducer<number, void>((count) => count + 1, 0)[1];
}
