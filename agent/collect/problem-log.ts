import type { Problem } from '@/lib/schemas/agent/inventory'
import { plainLine } from './clean-text'

/** The contract's bound on `problems`; the last place is kept for the count of those left out. */
const MAX_PROBLEMS = 1024

/** What could not be read during one scan. The same problem of the same source is listed once. */
export type ProblemLog = {
  add(problem: Problem): void
  /** Sorted, so that an unchanged host gives an unchanged inventory. */
  list(): Problem[]
}

const compareProblems = (a: Problem, b: Problem): number => {
  const left = `${a.source}\n${a.code}\n${a.message}`
  const right = `${b.source}\n${b.code}\n${b.message}`
  return left < right ? -1 : left > right ? 1 : 0
}

export const createProblemLog = (): ProblemLog => {
  const problems = new Map<string, Problem>()
  return {
    add: ({ source, code, message }) => {
      const problem: Problem = {
        source: plainLine(source, 1024),
        code,
        message: plainLine(message, 1024),
      }
      problems.set(`${problem.source}\n${problem.code}\n${problem.message}`, problem)
    },
    list: () => {
      const all = [...problems.values()].sort(compareProblems)
      if (all.length <= MAX_PROBLEMS) return all
      const listed = all.slice(0, MAX_PROBLEMS - 1)
      const message = `${all.length - listed.length} more problems are left out; a report holds at most ${MAX_PROBLEMS}.`
      return [...listed, { source: 'problems', code: 'too-large', message }]
    },
  }
}
