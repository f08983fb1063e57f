import { type ClassValue, clsx } from 'clsx'

/** Joins class names. It adds and never overrides: what a component lets its caller change is a prop. */
export const classNames = (...names: ClassValue[]): string => clsx(names)
