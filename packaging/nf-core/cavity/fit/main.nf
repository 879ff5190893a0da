process CAVITY_FIT {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    // The image of packaging/Containerfile, under the name that it has where it is kept.
    container "cavity:1.0.0"

    input:
    tuple val(meta), path(table), path(sheet)

    output:
    tuple val(meta), path("${prefix}.cavity")      , emit: model
    tuple val(meta), path("${prefix}.html")        , emit: page
    tuple val(meta), path("${prefix}.features.csv"), emit: features
    tuple val(meta), path("${prefix}.loo.csv")     , emit: left_out
    tuple val(meta), path("${prefix}.txt")         , emit: summary
    path "versions.yml"                            , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def sheet_command = sheet ? "--samples ${sheet}" : ''
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    cavity fit ${table} ${sheet_command} ${args} \\
        --threads ${task.cpus} \\
        -o ${prefix}.cavity --report ${prefix}.html --loo ${prefix}.loo.csv > ${prefix}.txt
    cavity features ${prefix}.cavity > ${prefix}.features.csv

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        cavity: \$(cavity --version)
    END_VERSIONS
    """

    stub:
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    touch ${prefix}.cavity ${prefix}.html ${prefix}.features.csv ${prefix}.loo.csv ${prefix}.txt

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        cavity: \$(cavity --version)
    END_VERSIONS
    """
}
