/** Decodes character references of markdown: `&amp;`, `&#8212;`, `&#x2014;`. Pure. */

/** The names that people and models use. Other names stay as written. */
const NAMED: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'amp & lt < gt > quot " apos \' nbsp \u00a0 ensp \u2002 emsp \u2003 thinsp \u2009 copy © reg ® trade ™ hellip … mdash — ndash – minus − bull • middot · sect § para ¶ deg ° micro µ ' +
    'lsquo ‘ rsquo ’ ldquo “ rdquo ” sbquo ‚ bdquo „ laquo « raquo » lsaquo ‹ rsaquo › rarr → larr ← uarr ↑ darr ↓ harr ↔ rArr ⇒ lArr ⇐ hArr ⇔ times × divide ÷ plusmn ± ne ≠ le ≤ ge ≥ asymp ≈ equiv ≡ infin ∞ ' +
    'radic √ sum ∑ prod ∏ int ∫ part ∂ nabla ∇ isin ∈ notin ∉ cap ∩ cup ∪ sub ⊂ sup ⊃ forall ∀ exist ∃ empty ∅ and ∧ or ∨ not ¬ sup1 ¹ sup2 ² sup3 ³ frac12 ½ frac14 ¼ frac34 ¾ ' +
    'euro € pound £ yen ¥ cent ¢ iexcl ¡ iquest ¿ check ✓ cross ✗ star ☆ lbrace { rbrace } lbrack [ rbrack ] lpar ( rpar ) vert | ast * lowbar _ num # dollar $ percnt % plus + equals = colon : semi ; comma , period . excl ! quest ? sol / bsol \\ ' +
    'alpha α beta β gamma γ delta δ epsilon ε theta θ lambda λ mu μ pi π rho ρ sigma σ tau τ phi φ omega ω Gamma Γ Delta Δ Sigma Σ Omega Ω ' +
    'auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß eacute é egrave è ecirc ê aacute á agrave à acirc â ccedil ç iacute í oacute ó ocirc ô uacute ú ntilde ñ aring å Aring Å oslash ø aelig æ'
  )
    .split(' ')
    .reduce<[string, string][]>((pairs, word, index, words) => (index % 2 === 0 ? [...pairs, [word, words[index + 1]!]] : pairs), []),
);

/** Returns `text` with its references decoded. */
export function withoutReferences(text: string): string {
  if (!text.includes('&')) {
    return text;
  }
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,10}\d{0,2}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) {
        return Object.hasOwn(NAMED, name) ? NAMED[name]! : whole;
      }
      const code = decimal !== undefined ? Number(decimal) : parseInt(hex!, 16);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
    },
  );
}
