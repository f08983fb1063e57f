import { isDeepStrictEqual } from 'node:util'
import type { Oracle, OracleAnswer } from './open-oracle'
import { createRandom, type Random } from './random'

type Difference<Input, Result> = { input: Input; ours: Result; theirs: Result; answer: OracleAnswer }

/** A difference that is meant: both results and why they differ. Every rule must be as narrow as its reason. */
export type Explained<Input, Result> = {
  reason: string
  matches: (difference: Difference<Input, Result>) => boolean
}

type ComparedFunction<Input, Result> = {
  oracle: Oracle
  fn: string
  generate: (random: Random) => Input
  /** The part of an input that the oracle receives. */
  question: (input: Input) => unknown
  ours: (input: Input) => Promise<Result> | Result
  theirs: (answer: OracleAnswer, input: Input) => Result
  /** Default: both are deeply equal. */
  isAgreed?: (ours: Result, theirs: Result) => boolean
  isAccepted: (theirs: Result) => boolean
  explained?: readonly Explained<Input, Result>[]
}

export type Comparison = {
  accepted: number
  refused: number
  /** Reason and number of inputs. */
  explained: ReadonlyMap<string, number>
  /** Of the first that no rule explains. */
  unexplained: readonly { seed: number; input: unknown; ours: unknown; theirs: unknown }[]
}

const SHOWN = 10
const AT_ONCE = 32

/** SLICEBOARD_ORACLE_COUNT inputs of SLICEBOARD_ORACLE_SEED; each input has the seed that follows, so one can be repeated alone. */
export const oracleRun = (): { seed: number; count: number } => ({
  seed: Number(process.env.SLICEBOARD_ORACLE_SEED || Math.floor(Math.random() * 1e9)),
  count: Number(process.env.SLICEBOARD_ORACLE_COUNT || 2000),
})

/** Asks both for each generated input and counts where they agree. */
export const compareFunction = async <Input, Result>(
  compared: ComparedFunction<Input, Result>,
  { seed, count }: { seed: number; count: number },
): Promise<Comparison> => {
  const isAgreed = compared.isAgreed ?? isDeepStrictEqual
  const explained = new Map<string, number>()
  const unexplained: Comparison['unexplained'][number][] = []
  let accepted = 0
  let refused = 0
  const check = async (inputSeed: number): Promise<void> => {
    const input = compared.generate(createRandom(inputSeed))
    const asked = compared.oracle.call(compared.fn, compared.question(input))
    const ours = await compared.ours(input)
    const answer = await asked
    const theirs = compared.theirs(answer, input)
    if (compared.isAccepted(theirs)) accepted += 1
    else refused += 1
    if (isAgreed(ours, theirs)) return
    const rule = compared.explained?.find(({ matches }) => matches({ input, ours, theirs, answer }))
    if (rule !== undefined) explained.set(rule.reason, (explained.get(rule.reason) ?? 0) + 1)
    else if (unexplained.length < SHOWN) unexplained.push({ seed: inputSeed, input, ours, theirs })
  }
  for (let start = 0; start < count && unexplained.length < SHOWN; start += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - start)
    await Promise.all(Array.from({ length: size }, (_, index) => check(seed + start + index)))
  }
  return { accepted, refused, explained, unexplained }
}
