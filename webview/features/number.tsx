import { useNewest, useView } from '../context';

/** A button that requests a number from the host and shows it. */
export function NumberButton() {
  const { post } = useView();
  const drawn = useNewest('number');
  return (
    <button type="button" class="button" onClick={() => post({ type: 'draw_number' })}>
      #{drawn?.value}
    </button>
  );
}
