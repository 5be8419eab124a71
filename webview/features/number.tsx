/** A button that requests a number from the host and shows it. */
import type { PageFeature } from '../base/feature';
import { useNewest, useView } from '../state/context';

function NumberButton() {
  const { post } = useView();
  const drawn = useNewest('number');
  return (
    <button type="button" class="button" onClick={() => post({ type: 'draw_number' })}>
      #{drawn?.value}
    </button>
  );
}

export default { Footer: NumberButton, order: 50 } satisfies PageFeature;
