'use client'

import { useSyncExternalStore } from 'react'

let now = 0
let timer: ReturnType<typeof setInterval> | null = null
const listeners = new Set<() => void>()

const tick = () => {
  now = Date.now()
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  timer ??= setInterval(tick, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

const snapshot = (): number => {
  if (timer === null || now === 0) now = Date.now()
  return now
}
const onServer = (): null => null

/** The browser's clock in milliseconds, ticking every second; null on the server, whose clock and zone are others. */
export const useNow = (): number | null => useSyncExternalStore<number | null>(subscribe, snapshot, onServer)
