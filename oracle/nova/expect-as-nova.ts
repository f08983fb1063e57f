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
  /** Default: the value of the answer, which the function of oracle/python has in the form of `Result`; null when refused. */
  theirs?: (answer: OracleAnswer, input: Input) => Result
  /** The first of two kinds of results, for a function that refuses few inputs. Default: a result that is not null. */
  isAccepted?: (theirs: Result) => boolean
  explained?: readonly Explained<Input, Result>[]
}

/** A value of another form differs from that of the console, so the comparison checks it. */
const answeredValue = <Result>(answer: OracleAnswer): Result =>
  ('refused' in answer ? null : answer.value) as Result

/** Compares a function of the console, by the rules of the release, with the function of Nova; null is a refusal. */
export const expectAsNova = async <Input, Result>(
  what: string,
  { ours, release, ...compared }: NovaFunction<Input, Result>,
): Promise<void> =>
  expectAgreement(`Nova ${release.version}: ${what}`, (run) =>
    compareFunction(
      {
        isAccepted: (theirs) => theirs !== null,
        theirs: answeredValue<Result>,
        ...compared,
        question: (input) => input,
        ours: (input) => ours(input, release.range),
      },
      run,
    ),
  )
