import type { NovaRange } from '@/lib/domain/nova-config/nova-releases'
import { compareFunction, type Explained } from '../harness/compare-function'
import { expectAgreement } from '../harness/expect-agreement'
import type { Oracle, OracleAnswer } from '../harness/open-oracle'
import type { Random } from '../harness/random'

type NovaFunction<Input, Result> = {
  oracle: Oracle
  release: { version: string; range: NovaRange }
  fn: string
  generate: (random: Random) => Input
  ours: (input: Input, range: NovaRange) => Result
  theirs: (answer: OracleAnswer) => Result
  /** The first of two kinds of results, for a function that refuses few inputs. Default: a result that is not null. */
  isAccepted?: (theirs: Result) => boolean
  explained: readonly Explained<Input, Result>[]
}

/** Compares a function of the console, by the rules of the release, with the function of Nova; null is a refusal. */
export const expectAsNova = async <Input, Result>(
  what: string,
  { ours, release, ...compared }: NovaFunction<Input, Result>,
): Promise<void> =>
  expectAgreement(`Nova ${release.version}: ${what}`, (run) =>
    compareFunction(
      {
        isAccepted: (theirs) => theirs !== null,
        ...compared,
        question: (input) => input,
        ours: (input) => ours(input, release.range),
      },
      run,
    ),
  )
