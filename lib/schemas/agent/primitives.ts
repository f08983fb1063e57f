import * as z from 'zod/mini'
import { GRAMMARS, type GrammarName } from './grammar'
import { HOST_NAME_PATTERN, HOST_NAME_RULE } from './host-name'
import { printableLine, printableLines } from './printable'

/** A text of one of the grammars; the error contains the rule. */
export const wordSchema = (name: GrammarName) =>
  z.string().check(z.regex(GRAMMARS[name].pattern, GRAMMARS[name].rule))

/** PCI address in canonical form: lower case, 4-digit domain, e.g. `0000:18:00.0`. Upper case is accepted and lowered. */
export const pciAddressSchema = z
  .string()
  .check(z.toLowerCase(), z.regex(GRAMMARS.pciAddress.pattern, GRAMMARS.pciAddress.rule))

/** RFC 4122 text form, lower case. Nova server uuids, libvirt domain uuids and mdev uuids share it. */
export const uuidSchema = z
  .string()
  .check(z.toLowerCase(), z.regex(GRAMMARS.uuid.pattern, GRAMMARS.uuid.rule))

/** A host name as nova-compute knows it (`[DEFAULT] host`), 1 to 253 characters, stored in lower case. */
export const hostNameSchema = z.string().check(z.toLowerCase(), z.regex(HOST_NAME_PATTERN, HOST_NAME_RULE))

/** A text without grammar: one line with a maximum length that a page, a log and a terminal can show. */
export const lineSchema = (maxCharacters: number) =>
  z.string().check(z.maxLength(maxCharacters), z.overwrite(printableLine))

/** The same with line feeds. */
export const linesSchema = (maxCharacters: number) =>
  z.string().check(z.maxLength(maxCharacters), z.overwrite(printableLines))

/** Any text read on a host. Agents replace control characters before they send; here it is done for every sender. */
export const hostTextSchema = lineSchema(1024)

/** An absolute path on the host, as read (without the `--root` prefix). */
export const hostPathSchema = lineSchema(1024)

/** 4 hex digits as in sysfs `vendor` and `device`, without `0x`, lower case: `10de`, `1eb8`. */
export const pciIdSchema = z.string().check(z.toLowerCase(), z.regex(/^[0-9a-f]{4}$/, 'must be 4 hex digits'))

/** base64url of the SHA-256 of the canonical JSON of an inventory (43 characters, no padding). */
export const digestSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 in base64url'))
