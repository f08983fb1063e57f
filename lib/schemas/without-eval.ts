/*
 * Imported before anything that makes schemas. zod would ask whether it may make code from text, which the
 * Content-Security-Policy keeps back and reports as a violation; all copies of zod share this setting.
 */
import { config } from 'zod/mini'

config({ jitless: true })
