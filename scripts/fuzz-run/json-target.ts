import type { FuzzTarget } from './target'

/** A target whose bytes are JSON: what is no JSON is refused before it. */
export const jsonTarget = ({
  name,
  seeds,
  read,
  isRefusal = () => false,
}: {
  name: string
  seeds: () => unknown[]
  read: (value: unknown) => unknown
  isRefusal?: (error: unknown) => boolean
}): FuzzTarget => ({
  name,
  seeds: () => seeds().map((seed) => JSON.stringify(seed)),
  read: (text) => read(JSON.parse(text)),
  isRefusal: (error) => error instanceof SyntaxError || isRefusal(error),
})
