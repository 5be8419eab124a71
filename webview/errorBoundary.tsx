/** A part of the page whose failure costs that part alone. */
import { Component, type ComponentChildren } from 'preact';

interface Props {
  /** What is shown; once it is another, the part is tried again. */
  readonly of: unknown;
  readonly instead: () => ComponentChildren;
  readonly children: ComponentChildren;
}

const NOTHING = Symbol('nothing failed');

export class Boundary extends Component<Props, { failed: unknown }> {
  override state = { failed: NOTHING as unknown };

  override componentDidCatch(error: unknown): void {
    console.error('A part of the conversation could not be shown.', error);
    this.setState({ failed: this.props.of });
  }

  override render({ of, instead, children }: Props): ComponentChildren {
    return this.state.failed === of ? instead() : children;
  }
}
