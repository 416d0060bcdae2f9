// SPDX-License-Identifier: Apache-2.0

// Value components, queries and worlds: what `World(context:)` gives a program to work with.
@_exported import Worlds
