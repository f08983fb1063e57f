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
/** Inputs in one line to Python. */
const BATCH = 64

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
  const check = (inputSeed: number, input: Input, ours: Result, answer: OracleAnswer): void => {
    const theirs = compared.theirs(answer, input)
    if (compared.isAccepted(theirs)) accepted += 1
    else refused += 1
    if (isAgreed(ours, theirs)) return
    const rule = compared.explained?.find(({ matches }) => matches({ input, ours, theirs, answer }))
    if (rule !== undefined) explained.set(rule.reason, (explained.get(rule.reason) ?? 0) + 1)
    else if (unexplained.length < SHOWN) unexplained.push({ seed: inputSeed, input, ours, theirs })
  }
  const startBatch = (start: number) => {
    const size = Math.max(0, Math.min(BATCH, count - start))
    const inputs = Array.from({ length: size }, (_, index) =>
      compared.generate(createRandom(seed + start + index)),
    )
    const answers =
      size === 0 ? Promise.resolve([]) : compared.oracle.ask(compared.fn, inputs.map(compared.question))
    // Awaited one batch later.
    answers.catch(() => undefined)
    return { start, inputs, answers }
  }
  let next = startBatch(0)
  while (next.inputs.length > 0 && unexplained.length < SHOWN) {
    const { start, inputs, answers } = next
    // Python works on the next batch while this one is compared.
    next = startBatch(start + BATCH)
    const ours = await Promise.all(inputs.map((input) => compared.ours(input)))
    const found = await answers
    inputs.forEach((input, index) => {
      check(seed + start + index, input, ours[index] as Result, found[index] as OracleAnswer)
    })
  }
  return { accepted, refused, explained, unexplained }
}
