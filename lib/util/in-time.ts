/**
 * The result of pending work within so many milliseconds, else undefined. The work continues, and a later failure is
 * ignored.
 */
export const inTime = async <Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
