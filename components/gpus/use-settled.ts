'use client'

import { useEffect, useState } from 'react'

/** For the text of a filter that the server applies. */
export const SETTLED_MS = 150

/** The value once it has not changed for a while: one question to the server instead of one per key. */
export const useSettled = <Value>(value: Value, afterMs: number): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
