// Loaded by `node --import` before anything else: keeps compiled code, types stripped, between starts. It is JavaScript so that the
// compiler that strips types need not be loaded for it. If the folder cannot be written, each start compiles the code again.
//
// Measured on 2 cores, role `all`, idle: 104 MiB and 1.2 s without it, 81 MiB and 0.8 s with it. Crawls run in a process of their own.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../build/compiled', import.meta.url)))
