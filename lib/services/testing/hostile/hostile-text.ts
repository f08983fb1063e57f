import fc from 'fast-check'
import type { $ZodType } from 'zod/v4/core'

/** A string with which a test attacks one field. */
type HostileText = {
  /** Path of the field. */
  field: string
  text: string
  /** Identifies the text in an output. Encoders change other characters, but not this one. */
  marker: string
}

/**
 * Each way out of a text that some output language has. `pwn` is a command that the sandbox logs, `pwn_…` an option, a key or a
 * name, and `[pwn_…]` a section, which no output may have. The marker itself is letters and digits only.
 */
export const WAYS: readonly ((marker: string) => string)[] = [
  (m) => `${m}\npwn ${m}\n`,
  (m) => `${m}\r\npwn ${m}\rpwn ${m}\u2028pwn ${m}\u0085pwn ${m}\v\f`,
  (m) => `${m}\nEND\npwn ${m}\nEOF\npwn ${m}\nEND_1\npwn ${m}\nSLICEBOARD\npwn ${m}\n`,
  (m) => `${m}'; pwn ${m}; '"; pwn ${m}; "`,
  (m) => `${m}'\\''; pwn ${m}; '\\''; pwn ${m}; '"'"'; pwn ${m}; '"'"'`,
  (m) => `$(pwn ${m})\`pwn ${m}\`\${x:-$(pwn ${m})}$((pwn)) $HOME ~ * ?`,
  (m) => `${m}; pwn ${m} && pwn ${m} || pwn ${m} | pwn ${m} & pwn ${m}`,
  (m) => `${m} > pwn_${m} ) pwn ${m} } pwn ${m} #`,
  (m) => `--pwn-${m}=x`,
  (m) => `${m} --pwn-${m}`,
  (m) => `${m}\u001b[31m\u001b]0;pwn\u0007\u009b31m\u007f\b`,
  (m) => `\u202e${m}\u2066\u2069\u200f\u061c\u200b\ufeff`,
  (m) => `${m}\0pwn\0`,
  (m) => `${m}\\0033[31m\\033[2J\\x1b[2J\\e[2J\\c\\n\\u001b%s%n%d`,
  (m) => `=cmd|' /C calc'!${m}`,
  (m) => `+cmd!${m}`,
  (m) => `-cmd!${m}`,
  (m) => `@cmd!${m}`,
  (m) => `＝cmd!${m}`,
  (m) => ` \t=cmd!${m}`,
  (m) => `;=cmd|${m};@pwn;+pwn`,
  (m) => `ｐｗｎ${m}；＄（pwn ${m}）＂＇＝`,
  (m) => `${m}<script>pwn</script><img src=x onerror=pwn><!-- pwn -->`,
  (m) => `[pwn](https://pwn.example/${m}) ![pwn](https://pwn.example/${m}) <https://pwn.example/${m}>`,
  (m) => `${m}\n\n\`\`\`\n# pwn_${m}\n~~~\n\n<b>pwn</b>\n\n[pwn]: https://pwn.example\n---\n- pwn_${m}`,
  (m) => `${m}\${pwn("${m}")}%{ if true }"\npwn_${m} = "x`,
  (m) => `${m}: &pwn !!python/object/apply:os.system [x]\npwn_${m}: *pwn\n- pwn_${m}\n--- pwn`,
  (m) => `&pwn ${m}`,
  (m) => `!!python/name:pwn ${m}`,
  (m) => `'${m}\npwn_${m}: 1`,
  (m) => `"${m}", "pwn_${m}": "1`,
  (m) => `{{ pwn_${m} }}{% pwn %}{# pwn #}`,
  (m) => `${m}\n[pwn_${m}]\npwn_${m} = 1\n`,
  (m) => `${m}\n pwn_${m} = 1\n$pwn_${m} %(pwn_${m})s`,
  (m) => `<!channel> <@pwn> <https://pwn.example|${m}> *${m}* &lt;`,
  (m) => `${m}"} 1\npwn_${m}{a="\\`,
  (m) => `${m}\\" 1\n# TYPE pwn_${m} gauge\npwn_${m} 1\n`,
  (m) => `${m}"\r\n=pwn_${m},pwn`,
  (m) => `${m}${'x'.repeat(900)}`,
  (m) => `../../../pwn_${m}`,
  (m) => `${m}\ud800`,
]

/** The parts of the ways, from which new ones are put together. */
const PARTS = [
  ...`\n,\r,\0,',",\`,$(,),\${,},;,&&,|,<,>,\\,=,+,-,@,＝,[,],{,#,%,!,*,~,\u001b[31m,\u202e,\u2028,\u0085, ,\t,END\n,EOF\n,--pwn`.split(
    ',',
  ),
  'pwn ',
  'pwn_',
]

/** One text of random parts with the marker somewhere in it, never as a name of the ways above. */
const mixed = (marker: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }),
      fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }),
    )
    .map(([before, after]) => `${before.join('')}${marker}z${after.join('')}`)

/** `qz` and five letters or digits: of one length, so that none is the beginning of another. */
export const MARKER = /qz[0-9a-z]{5}/gi
const markerOf = (number: number): string => `qz${number.toString(36).padStart(5, '0')}`

type Parsed = { success: boolean; data?: unknown }
const parses = (schema: $ZodType, value: string): Parsed =>
  (schema as unknown as { safeParse: (value: string) => Parsed }).safeParse(value)

export type HostileSource = {
  /** A text for the field that attacks: as long as one is accepted by the schema, else one that it refuses. */
  attack: (field: string, schema: $ZodType) => HostileText & { isAccepted: boolean }
  /** Attack number `at` for a field. Its schema is not checked. */
  way: (field: string, at: number) => HostileText
  /** All that were given, by their markers. */
  byMarker: () => ReadonlyMap<string, HostileText>
}

/** The same texts for the same seed. Each has a unique marker. */
export const createHostileSource = (seed: number): HostileSource => {
  const given = new Map<string, HostileText>()
  let draws = 0
  const draw = <Value>(arbitrary: fc.Arbitrary<Value>, count = 1): Value[] =>
    fc.sample(arbitrary, { seed: seed + draws++, numRuns: count })
  const give = (text: HostileText): HostileText => {
    given.set(text.marker, text)
    return text
  }
  const way = (at: number, marker: string): string => (WAYS[at % WAYS.length] ?? String)(marker)
  return {
    byMarker: () => given,
    way: (field, at) => {
      const marker = markerOf(given.size)
      return give({ field, marker, text: way(at, marker) })
    },
    attack: (field, schema) => {
      const marker = markerOf(given.size)
      const [first = 0] = draw(fc.nat(WAYS.length - 1))
      const texts = WAYS.map((_, at) => way(first + at, marker))
      const [random = ''] = draw(mixed(marker))
      const ordered = first % 4 === 0 ? [random, ...texts] : texts
      const accepted = ordered.find((text) => parses(schema, text).success)
      const text = accepted ?? ordered[0] ?? marker
      return { ...give({ field, marker, text }), isAccepted: accepted !== undefined }
    },
  }
}
