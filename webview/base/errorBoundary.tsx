/** Contains the failure of a part of the page, so that the rest still works. */
import { Component, type ComponentChildren } from 'preact';

interface Props {
  /** The data that is shown. After a failure, new data renders the part again. */
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
