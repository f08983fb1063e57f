/** Amounts are whole numbers of this fraction of a currency unit, so that sums are exact. */
const PARTS = 10_000n
const DIGITS = 4

/** `0.45` in ten-thousandths of a currency unit. The text has at most four decimals. */
export const parseAmount = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole) * PARTS + BigInt(fraction.padEnd(DIGITS, '0'))
}

/** The decimal text of an amount, with two to four decimals: `0.45`, `12.00`, `0.0375`, `-3.50`. */
export const amountText = (amount: bigint): string => {
  const size = amount < 0n ? -amount : amount
  const fraction = String(size % PARTS)
    .padStart(DIGITS, '0')
    .replace(/0{1,2}$/, '')
  return `${amount < 0n ? '-' : ''}${size / PARTS}.${fraction}`
}

/** One of `count` equal parts of an amount of 0 or more, rounded half up to a ten-thousandth. */
export const shareOfAmount = (amount: bigint, count: number): bigint => {
  const parts = BigInt(count)
  return (amount * 2n + parts) / (parts * 2n)
}
