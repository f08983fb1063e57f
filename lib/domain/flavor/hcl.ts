import { type Encoded, joinEncoded } from '@/lib/util/encode/encoded'
import { hcl, hclString } from '@/lib/util/encode/hcl'

type Hcl = Encoded<'hcl'>

/** An argument of a block, its value as HCL has it. */
export type HclLine = [name: Hcl, value: Hcl]

const blanks = (count: number): Hcl =>
  joinEncoded(
    Array.from({ length: count + 1 }, () => hcl``),
    ' ',
  )

/** Lines `name = value` as `terraform fmt` aligns them: a value of several lines is not aligned. */
const aligned = (lines: readonly HclLine[]): Hcl[] => {
  const single = lines.filter(([, value]) => !value.includes('\n'))
  const width = Math.max(0, ...single.map(([name]) => name.length))
  return lines.map(([name, value]) =>
    value.includes('\n') ? hcl`${name} = ${value}` : hcl`${name}${blanks(width - name.length)} = ${value}`,
  )
}

/** A block with its arguments, as `terraform fmt` leaves it; those of several lines last. */
export const hclBlock = (head: Hcl, lines: readonly HclLine[]): Hcl =>
  joinEncoded([hcl`${head} {`, ...aligned(lines).map((line) => hcl`  ${line}`), hcl`}`], '\n')

/** A map of texts as an argument of a block. */
export const hclMap = (entries: Readonly<Record<string, string>>): Hcl => {
  const lines = Object.entries(entries).map(([key, value]): HclLine => [hclString(key), hclString(value)])
  return joinEncoded([hcl`{`, ...aligned(lines).map((line) => hcl`    ${line}`), hcl`  }`], '\n')
}
