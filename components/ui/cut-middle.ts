/** `4b20d080-1b54-…-3a12` instead of the whole: both ends tell ids apart, the middle does not. */
export const cutMiddle = (text: string, keep: number): string => {
  if (text.length <= keep) return text
  const head = Math.ceil((keep - 1) / 2)
  const tail = keep - 1 - head
  return `${text.slice(0, head)}…${tail === 0 ? '' : text.slice(-tail)}`
}
