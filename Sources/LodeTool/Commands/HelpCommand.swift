// SPDX-License-Identifier: Apache-2.0

/// `lode help`: what the commands are for.
enum HelpCommand {
    /// One line for each command.
    static let overview = """
        usage: lode COMMAND [ARGUMENT …]

          create    make an empty store of a model
          import    read JSON, JSON Lines or CSV files into a store
          inspect   show the model, the counts and the size of a store
          query     find objects and print them as a table, JSON or CSV
          migrate   make a store one of another version of its model
          compact   copy a store without its free pages, to ship it
          demo      show on a library of its own what a store can do
          help      explain a command: lode help import

        lode --version prints the version. Exit status: 0 for success, 1 for an error,
        2 for an import that rejected rows, 64 for a command line that makes no sense.
        """

    /// How each command is used.
    static let usages = [
        "create": "lode create STORE MODEL",
        "import": "lode import FILE-OR-FOLDER --into STORE [--mapping FILE] [--format FORMAT] "
            + "[--delimiter CHARACTER] [--strict] [--quiet]",
        "inspect": "lode inspect STORE [--verify]",
        "query": "lode query STORE ENTITY [PREDICATE] [--sort KEY[,-KEY]] [--limit N] "
            + "[--offset N] [--columns KEY[,KEY.PATH]] [--format table|json|csv] [--explain]\n"
            + "       lode query STORE --components NAME [--limit N] [--offset N] "
            + "[--format FORMAT]",
        "migrate": "lode migrate STORE MODEL [--dry-run] [--may-remove]",
        "compact": "lode compact STORE --into FILE",
        "demo": "lode demo [--objects N]",
        "help": "lode help [COMMAND]",
    ]

    private static let details = [
        "create": """
        Makes an empty store of a model of Xcode's editor, a .xcdatamodeld folder or one
        .xcdatamodel in it. lode import then fills it: columns and references go by the names of the
        model's properties.
        """,
        "import": """
        Reads a file, or all .json, .jsonl, .csv and .tsv files of a folder, infers entities,
        keys and relationships, and writes the rows into a store, which is created if need be.
        Rows whose key the store has already change those objects where they differ.

          --into STORE     the store
          --mapping FILE   a JSON file that overrides the inferred model
          --format FORMAT  json, jsonl, csv or tsv, whatever the files' names say
          --delimiter C    what stands between the fields of CSV files, as ';' or tab
          --strict         import nothing if any row would be rejected or lack a reference
          --quiet          print nothing but errors and rejected rows

        Exit status: 0 if all rows were imported, 2 if some were rejected, 1 for an error.
        """,
        "inspect": """
        Prints the model that a store was written with, how many objects and value components it
        has, and how much room its entities, relationships and indexes take.

          --verify  check each page of the file and all that lies in them first

        The pages of files up to 64 MiB are always checked.
        """,
        "query": """
        Finds objects of an entity. The predicate is written as for NSPredicate, for instance
        'album.artist.name == "AC/DC" AND milliseconds > 200000'.

          --sort KEYS      key paths to sort by; a minus sign sorts downwards: --sort=-price,name
          --limit N        print N objects at most; --offset N leaves out the first N
          --columns KEYS   key paths to print; attributes and to-one relationships otherwise
          --format FORMAT  table, json or csv
          --explain        print how the store would find the objects, and no objects
          --components NAME
                           print the values of a component of game objects by their fields
        """,
        "migrate": """
        Reads a model of Xcode's editor, a .xcdatamodeld folder or one .xcdatamodel in it, prints
        what changes for the entities of the store, and migrates it in place: in one transaction,
        so that it is of the one version or of the other whatever happens. No other program may
        have the store open with the former version.

          --dry-run     only print the changes
          --may-remove  take away the values and objects that the model does not have
        """,
        "compact": """
        Copies a store into a file that is not there yet. The copy has the same objects and
        identity, and no free pages.

          --into FILE   the copy
        """,
        "demo": """
        Writes a library of CSV and JSON files, imports it, queries it, walks relationships,
        attaches components to objects and runs a pass over them. Everything lies in a
        temporary folder and is removed at the end.

          --objects N      how many creatures the library has; 20000 unless given
        """,
    ]

    /// Prints the overview or the help of a command.
    static func run(_ arguments: [String], _ output: ToolOutput) throws(UsageError) -> Int32 {
        guard let name = arguments.first else {
            output.line(overview)
            return 0
        }
        guard arguments.count == 1, let usage = usages[name] else {
            throw UsageError("there is no command \(name)", command: nil)
        }
        output.line("usage: \(usage)")
        if let text = details[name] {
            output.line()
            output.line(text)
        }
        return 0
    }
}
