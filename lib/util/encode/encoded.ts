/** Languages that have an encoder in this folder. */
export type Language =
  | 'shell'
  | 'nova-conf'
  | 'yaml'
  | 'hcl'
  | 'json'
  | 'markdown'
  | 'csv'
  | 'prometheus'
  | 'slack'
  | 'systemd'
  | 'http'

declare const language: unique symbol

/**
 * Text of a language that is safe to put into a document of that language: program text, encoded values, or both. Only this
 * folder creates it. Everything else composes it with the tags (`sh`, `novaConf`, …), which refuse plain strings.
 */
export type Encoded<L extends Language> = string & { readonly [language]: L }

/** What a tag accepts in `${}`. A finite number is written as it is. */
export type Part<L extends Language> = Encoded<L> | number

/**
 * Guarantee that the caller gives: the text is program text, or the encoder of the language has processed each value in it.
 * Only files of this folder call it; scripts/testing/encoders.test.ts checks that.
 */
export const trusted = <L extends Language>(text: string): Encoded<L> => text as Encoded<L>

const partText = (part: string | number): string => {
  if (typeof part === 'number' && !Number.isFinite(part))
    throw new RangeError(`${part} is not a finite number`)
  return String(part)
}

/** A template tag: the literal is program text, and each `${}` takes encoded text of the same language or a number. */
export const tagFor =
  <L extends Language>() =>
  (literal: TemplateStringsArray, ...parts: readonly Part<L>[]): Encoded<L> =>
    trusted(String.raw({ raw: literal }, ...parts.map(partText)))

/** The lines of an encoded text. */
export const encodedLines = <L extends Language>(text: Encoded<L>): Encoded<L>[] =>
  text.split('\n').map((line) => trusted<L>(line))

/** An encoded text without blanks and line feeds at its end. */
export const trimmedEnd = <L extends Language>(text: Encoded<L>): Encoded<L> => trusted(text.trimEnd())

/** Separators between encoded texts. */
type Separator = '' | '&' | ' && ' | ' ' | '\n' | ',' | ', ' | ' \\\n  ' | '\n\n'

/** Encoded texts of one language, with a separator between them. */
export const joinEncoded = <L extends Language>(
  parts: readonly Part<L>[],
  separator: Separator,
): Encoded<L> => trusted(parts.map(partText).join(separator))
