/** Next runs this before anything else in the browser. */
import '@/lib/schemas/without-eval'
